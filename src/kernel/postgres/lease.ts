import { withGracePeriod } from '../grace-period.ts';
import { pause } from '../retry.ts';
import { Client } from './client.ts';
import { sql } from './statement.ts';

/** A lease, held by one process at a time. */
export interface Lease {
  /** Lock key shared by all leases of a kind; visible in `pg_locks`. */
  readonly kind: number;
  readonly name: string;
}

const ASK_MS = 500;
/** The server drops a silent lease owner after this time. */
const DEAD_MS = 10_000;
const ALIVE_MS = 2_000;
/**
 * An owner without a response gives the lease up before another can take it; its last request may be `ALIVE_MS`
 * old.
 */
const SILENT_MS = DEAD_MS - 2 * ALIVE_MS;
/** How long an unresponsive server is waited for. */
export interface LeaseTimeouts {
  /** Of connecting; the server drops a silent owner after the same time. */
  readonly deadMs: number;
  /** Of a request. */
  readonly silentMs: number;
}

const TIMEOUTS: LeaseTimeouts = { deadMs: DEAD_MS, silentMs: SILENT_MS };

/** Timeout of closing the connection of an unresponsive server. */
const END_MS = 2_000;

/** Closes a connection, gracefully if the server responds. */
const endOf = async (client: Client): Promise<void> => {
  try {
    await withGracePeriod(client.end(), AbortSignal.abort(), END_MS);
  } catch {
    // Unresponsive: the server will notice by its own timeout.
    client.connection.stream.destroy();
  }
};

/** The connection that the locks of a lease belong to, not connected yet. */
export interface LeaseConnection {
  readonly client: Client;
  /** Fires when the connection, and all locks with it, is lost or ended. */
  readonly lost: AbortSignal;
  /** Ends the connection, and with it the locks. */
  end(): Promise<void>;
}

export const openLeaseConnection = (
  connectionString: string,
  name: string,
  { deadMs, silentMs }: LeaseTimeouts = TIMEOUTS,
): LeaseConnection => {
  const client = new Client({
    connectionString,
    application_name: `sightline lease ${name}`,
    keepAlive: true,
    connectionTimeoutMillis: deadMs,
    query_timeout: silentMs,
    options: `-c idle_session_timeout=${deadMs}`,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  const end = async () => {
    lost.abort();
    await endOf(client);
  };
  return { client, lost: lost.signal, end };
};

/**
 * Waits for a lease, works, and releases it. The lease is an advisory lock of a dedicated connection: it ends with
 * the process, and the server drops it for an owner that has gone silent. Such an owner may not have noticed, so
 * its writes must be fenced as well.
 * @param work its signal fires when the caller's does, or when the lease is lost.
 * @param onOthers called whenever another owner is found.
 * @throws {Error} if the connection fails while waiting.
 */
export const withLease = async (
  connectionString: string,
  { kind, name }: Lease,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  onOthers?: () => void,
  timeouts = TIMEOUTS,
): Promise<void> => {
  const { client, lost, end } = openLeaseConnection(connectionString, name, timeouts);
  const either = AbortSignal.any([signal, lost]);
  const held = async () => {
    const { rows } = await client.query<{ held: boolean }>(
      sql`select pg_try_advisory_lock(${kind}, hashtext(${name})) as held`,
    );
    return rows[0]?.held === true;
  };
  const wait = async () => {
    await client.connect();
    while (!(await held())) {
      onOthers?.();
      await pause(ASK_MS, either);
      if (signal.aborted) return;
      if (lost.aborted) throw new Error(`the connection of the lease ${name} was lost`);
    }
  };
  const over = new AbortController();
  const stayAlive = async () => {
    const signal = AbortSignal.any([over.signal, lost]);
    while (!signal.aborted) {
      await client.query(sql`select 1`).catch(end);
      await pause(ALIVE_MS, signal);
    }
  };
  try {
    await withGracePeriod(wait(), signal, END_MS).catch((error: unknown) => {
      // An expected end is not reported as a loss.
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return;
    void stayAlive();
    await work(either);
  } finally {
    over.abort();
    await end();
  }
};
