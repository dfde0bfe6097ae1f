#!/bin/sh
# Run once by the database's container: the site's own role, which triggers bind, and its database.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE footnote LOGIN PASSWORD :'password';
CREATE DATABASE footnote OWNER footnote;
SQL
