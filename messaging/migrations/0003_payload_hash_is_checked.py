"""The bytes and their hash cannot part: CHECK (sha256 = sha256(content))."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("messaging", "0002_constraints_and_triggers")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE messaging_payload ADD CONSTRAINT payload_hash_is_of_its_bytes "
            "CHECK (sha256 = encode(sha256(content), 'hex'))",
            "ALTER TABLE messaging_payload DROP CONSTRAINT payload_hash_is_of_its_bytes",
        )
    ]
