from django.urls import path

from analytics import views

app_name = "analytics"
urlpatterns = [path("", views.insights, name="insights"), path("truth/", views.truth, name="truth")]
