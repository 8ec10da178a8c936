import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withGracePeriod } from '../grace-period.ts';

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
/** A holder that hears nothing is to know before another may hold it: it may have asked at last `ALIVE_MS` ago. */
const SILENT_MS = DEAD_MS - 2 * ALIVE_MS;
/** What a server that says nothing is given when all is to end. */
const END_MS = 2_000;

/** Ends a connection, with a word to the server where that listens. */
const endOf = async (client: pg.Client): Promise<void> => {
  try {
    await withGracePeriod(client.end(), AbortSignal.abort(), END_MS);
  } catch {
    // Packets that nobody answers: the server finds out by itself.
    client.connection.stream.destroy();
  }
};

/**
 * Waits for a lease, works, and lets go of it. The lease is an advisory lock of a connection of its own: it ends
 * with the process, and the server ends it for a holder that has gone quiet. Such a holder may not have noticed:
 * what it writes must be fenced besides.
 * @param work its signal fires when the caller's does, or when the lease is lost.
 * @param onOthers told whenever another is found to hold it.
 * @throws {Error} when the connection is lost or says nothing any more while it waits.
 */
export const withLease = async (
  connectionString: string,
  { kind, name }: Lease,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  onOthers?: () => void,
): Promise<void> => {
  const client = new pg.Client({
    connectionString,
    application_name: `sightline lease ${name}`,
    keepAlive: true,
    connectionTimeoutMillis: DEAD_MS,
    query_timeout: SILENT_MS,
    options: `-c idle_session_timeout=${DEAD_MS}`,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  const either = AbortSignal.any([signal, lost.signal]);
  const held = async () => {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as held',
      [kind, name],
    );
    return rows[0]?.held === true;
  };
  const wait = async () => {
    await client.connect();
    while (!(await held())) {
      onOthers?.();
      await sleep(ASK_MS, undefined, { signal: either }).catch(() => undefined);
      if (signal.aborted) return;
      if (lost.signal.aborted) throw new Error(`the connection of the lease ${name} was lost`);
    }
  };
  const over = new AbortController();
  const stayAlive = async () => {
    const signal = AbortSignal.any([over.signal, lost.signal]);
    while (!signal.aborted) {
      await client.query('select 1').catch(() => lost.abort());
      await sleep(ALIVE_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  try {
    await withGracePeriod(wait(), signal, END_MS).catch((error: unknown) => {
      // What is to end is not told that its server says nothing.
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return;
    void stayAlive();
    await work(either);
  } finally {
    over.abort();
    await endOf(client);
  }
};
