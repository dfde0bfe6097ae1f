"""One command among several that start at once: uses the embedded services for a moment."""

import sys
from pathlib import Path

import psycopg

from outreach.embedded.client import embedded_services
from outreach.embedded.layout import DATABASE, ROLE, Layout

if __name__ == "__main__":
    layout = Layout(Path(sys.argv[1]))
    with (
        embedded_services(layout, throwaway=True),
        psycopg.connect(host=str(layout.sockets), user=ROLE, dbname=DATABASE) as connection,
    ):
        sys.stdout.write(f"{connection.execute('SELECT 1').fetchone()[0]}\n")
