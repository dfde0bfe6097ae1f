from django.urls import path

from messaging.delivery import views

app_name = "delivery"
urlpatterns = [
    path("", views.outbox, name="outbox"),
    path("<int:pk>/", views.detail, name="detail"),
    path("<int:pk>/sent/", views.mark_sent, name="mark_sent"),
    path("<int:pk>/not-possible/", views.not_possible, name="not_possible"),
    path("<int:pk>/confirm/", views.confirm, name="confirm"),
    path("<int:pk>/again/", views.try_again, name="try_again"),
]
