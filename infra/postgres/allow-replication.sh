#!/usr/bin/env bash
# Run once, when the primary's data is made: the role that its replica streams with, from this network only.
set -euo pipefail
psql --set=password="$(cat "$REPLICATION_PASSWORD_FILE")" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role replicator with replication login password :'password';
SQL
echo 'host replication replicator samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
