"""Addresses of the review pages, below /t/TEAM/review/."""

from django.urls import path

from messaging.review import views

app_name = "review"
urlpatterns = [
    path("", views.queue, name="queue"),
    path("export.csv", views.export, name="export"),
    path("next", views.begin, name="begin"),
    path("<int:draft_id>", views.draft, name="draft"),
    path("<int:draft_id>/approve", views.approve, name="approve"),
    path("<int:draft_id>/undo", views.undo, name="undo"),
    path("<int:draft_id>/reject", views.reject, name="reject"),
    path("<int:draft_id>/changes", views.request_changes, name="changes"),
    path("<int:draft_id>/edit", views.edit, name="edit"),
    path("<int:draft_id>/check", views.check, name="check"),
    path("<int:draft_id>/evidence", views.add_evidence, name="evidence"),
    path("<int:draft_id>/regenerate", views.regenerate, name="regenerate"),
    path("<int:draft_id>/skip", views.skip, name="skip"),
    path("<int:draft_id>/comment", views.comment, name="comment"),
    path("<int:draft_id>/take-over", views.take_over, name="take_over"),
    path("<int:draft_id>/difference", views.difference, name="difference"),
]
