from django.urls import path

from prospects import views

app_name = "prospects"
urlpatterns = [
    path("", views.prospect_list, name="list"),
    path("import/", views.upload, name="import"),
    path("imports/", views.batches, name="imports"),
    path("imports/<int:pk>/", views.batch, name="batch"),
    path("imports/columns/", views.mappings, name="mappings"),
    path("imports/columns/<int:pk>/forget/", views.forget_mapping, name="forget_mapping"),
    path("imports/<int:pk>/columns/", views.columns, name="columns"),
    path("imports/<int:pk>/columns/by-format/", views.read_by_format, name="read_by_format"),
    path("imports/<int:pk>/progress/", views.progress, name="progress"),
    path("imports/<int:pk>/start/", views.start, name="start"),
    path("imports/<int:pk>/cancel/", views.cancel, name="cancel"),
    path("imports/<int:pk>/resume/", views.resume, name="resume"),
    path("imports/<int:pk>/problems.csv", views.problems, name="problems"),
    path("suppressions/", views.suppressions, name="suppressions"),
    path("suppressions/<int:pk>/lift/", views.lift, name="lift"),
    path("companies/<int:pk>/sources/", views.company_sources, name="sources"),
    path("companies/<int:pk>/sources/<int:source>/<slug:step>/", views.move_source, name="move_source"),
    path("companies/<int:pk>/news/<int:row>/snapshot.txt", views.snapshot, name="snapshot"),
    path("who/", views.who, name="who"),
    path("who/<int:pk>/", views.pair, name="pair"),
    path("who/<int:pk>/merge/", views.merge, name="merge"),
    path("who/<int:pk>/decline/", views.decline, name="decline"),
    path("merges/<int:pk>/undo/", views.unmerge, name="unmerge"),
    path("doubts/<int:pk>/", views.decide, name="decide"),
    path("<int:pk>/twin/", views.twin, name="twin"),
    path("<int:pk>/", views.detail, name="detail"),
    path("<int:pk>/capture/", views.capture, name="capture"),
    path("<int:pk>/evidence/", views.add_evidence, name="add_evidence"),
    path("<int:pk>/evidence/<int:row>/retract/", views.retract, name="retract"),
    path("<int:pk>/suppress/", views.suppress, name="suppress"),
    path("<int:pk>/language/", views.language, name="language"),
    path("<int:pk>/identity/", views.identity, name="identity"),
]
