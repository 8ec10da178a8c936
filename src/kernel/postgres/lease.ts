import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** What only one process at a time may do. */
export interface Lease {
  /** For `pg_locks`: the number that all leases of a kind share. */
  readonly kind: number;
  readonly name: string;
}

const ASK_MS = 500;
/** A holder that shows no life for so long has lost its lease, frozen or cut off as it may be. */
const DEAD_MS = 10_000;
const ALIVE_MS = 2_000;

/**
 * Waits for a lease, works, and lets go of it. The lease is an advisory lock of a connection of its own: it ends
 * with the process, and the server ends it for a holder that has gone quiet. Such a holder may not have noticed:
 * what it writes must be fenced besides.
 * @param work its signal fires when the caller's does, or when the lease is lost.
 */
export const withLease = async (
  connectionString: string,
  { kind, name }: Lease,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const client = new pg.Client({
    connectionString,
    application_name: `sightline lease ${name}`,
    keepAlive: true,
    connectionTimeoutMillis: DEAD_MS,
    options: `-c idle_session_timeout=${DEAD_MS}`,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  const either = AbortSignal.any([signal, lost.signal]);
  let alive: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    const held = async () => {
      const { rows } = await client.query<{ held: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as held',
        [kind, name],
      );
      return rows[0]?.held === true;
    };
    while (!(await held())) {
      await sleep(ASK_MS, undefined, { signal: either }).catch(() => undefined);
      if (signal.aborted) return;
      if (lost.signal.aborted) throw new Error(`the connection of the lease ${name} was lost`);
    }
    alive = setInterval(() => {
      client.query('select 1').catch(() => lost.abort());
    }, ALIVE_MS);
    await work(either);
  } finally {
    clearInterval(alive);
    await client.end().catch(() => undefined);
  }
};
