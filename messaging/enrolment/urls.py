"""Addresses of a campaign's people, below /t/<team>/campaigns/."""

from django.urls import path

from messaging.enrolment import views
from messaging.enrolment.views import audiences, steps

app_name = "enrolment"
urlpatterns = [
    path("<slug:slug>/", views.campaign, name="campaign"),
    path("<slug:slug>/changed/", views.changed, name="changed"),
    path("<slug:slug>/pipeline/", views.pipeline, name="pipeline"),
    path("<slug:slug>/stale/", views.stale, name="stale"),
    path("<slug:slug>/stale.csv", views.stale_csv, name="stale_csv"),
    path("<slug:slug>/people/", views.people, name="people"),
    path("<slug:slug>/audience/", audiences.audience, name="audience"),
    path("<slug:slug>/audience/count/", audiences.audience_count, name="audience_count"),
    path("<slug:slug>/audience/explained/", audiences.audience_explained, name="audience_explained"),
    path("<slug:slug>/enrolling/<int:pk>/", audiences.run, name="run"),
    path("<slug:slug>/enrolling/<int:pk>/cancel/", audiences.run_cancel, name="run_cancel"),
    path("<slug:slug>/enrolling/<int:pk>/resume/", audiences.run_resume, name="run_resume"),
    path("<slug:slug>/enrolling/<int:pk>/left-out.csv", audiences.run_left_out, name="run_left_out"),
    path("<slug:slug>/steps/", steps.steps, name="steps"),
    path("<slug:slug>/people/<int:pk>/remove/", views.remove_person, name="remove"),
]
