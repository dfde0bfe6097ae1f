from django.urls import path

from analytics.views import effects, funnel, plan, strategies

app_name = "analytics"
urlpatterns = [
    path("", funnel.insights, name="insights"),
    path("truth/", funnel.truth, name="truth"),
    path("effects/", effects.effects, name="effects"),
    path("effects/effects.csv", effects.effects_csv, name="effects_csv"),
    path("effects/outcomes.csv", effects.counts_csv, name="counts_csv"),
    path("strategies/", strategies.strategies, name="strategies"),
    path("strategies/strategies.csv", strategies.strategies_csv, name="strategies_csv"),
    path("strategies/allocation.csv", strategies.allocation_csv, name="allocation_csv"),
    path("strategies/compute/", strategies.compute, name="compute"),
    path("strategies/waiting/", strategies.waiting, name="waiting"),
    path("strategies/proposals/<int:pk>/approve/", strategies.approve, name="approve"),
    path("strategies/proposals/<int:pk>/decline/", strategies.decline, name="decline"),
    path("strategies/weights/<int:number>/back/", strategies.roll_back, name="roll_back"),
    path("strategies/stops/<int:pk>/lift/", strategies.lift, name="lift"),
    path("plan/", plan.plan, name="plan"),
]
