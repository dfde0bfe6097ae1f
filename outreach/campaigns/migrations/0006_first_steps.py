"""Every campaign has a first step, of the channel it had; statements that were in use stay in use."""

from django.db import migrations

_STEPS = """
INSERT INTO campaigns_sequencestep (campaign_id, position, channel, wait_days, condition, instruction)
SELECT c.id, 1, c.channel, 0, 'always', '' FROM campaigns_campaign c
WHERE NOT EXISTS (SELECT 1 FROM campaigns_sequencestep s WHERE s.campaign_id = c.id)
"""
_APPROVED = """
UPDATE campaigns_proofpoint p SET approved_at = c.created_at FROM campaigns_campaign c
WHERE c.id = p.campaign_id AND p.approved_at IS NULL
"""


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0005_sequence_and_lifecycle")]

    operations = [
        migrations.RunSQL(_STEPS, migrations.RunSQL.noop),
        migrations.RunSQL(_APPROVED, migrations.RunSQL.noop),
    ]
