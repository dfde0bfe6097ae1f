from django.urls import path

from messaging.replies import views

app_name = "replies"
urlpatterns = [
    path("", views.inbox, name="inbox"),
    path("<int:pk>/", views.thread, name="thread"),
    path("<int:pk>/correct/", views.correct, name="correct"),
    path("<int:pk>/state/", views.set_state, name="set_state"),
    path("<int:pk>/assign/", views.assign, name="assign"),
    path("<int:pk>/raw/", views.raw, name="raw"),
    path("paste/<int:delivery>/", views.paste, name="paste"),
]
mailbox_patterns = [
    path("", views.mailbox, name="mailbox"),
    path("<int:pk>/", views.caught, name="caught"),
    path("<int:pk>/raw/", views.caught_raw, name="raw"),
]
