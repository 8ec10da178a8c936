#!/usr/bin/env bash
# Copies the primary the first time, then streams from it.
set -euo pipefail
export PGPASSWORD="$(cat "$REPLICATION_PASSWORD_FILE")"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # What an earlier try left half copied.
  rm -rf "$PGDATA" "$PGDATA.copy"
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  pg_basebackup --host "$PRIMARY_HOST" --username replicator --pgdata "$PGDATA.copy" --write-recovery-conf --wal-method stream
  rmdir "$PGDATA"
  mv "$PGDATA.copy" "$PGDATA"
fi
# A question that runs while the primary changes the schema is given this long.
exec postgres -c hot_standby=on -c max_standby_streaming_delay=30s "$@"
