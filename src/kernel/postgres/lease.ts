/** Leases by advisory locks: one holder at a time, or parts that processes share. */

import { withGracePeriod } from '../abort.ts';
import { pause } from '../retry.ts';
import { Client } from './client.ts';
import { ident, type Statement, sql } from './statement.ts';

/** A lease. One process holds it at a time. */
export interface Lease {
  /** Lock key that all leases of a kind share; visible in `pg_locks`. */
  readonly kind: number;
  readonly name: string;
}

const ASK_MS = 500;
/** The server drops a silent lease owner after this time. */
const DEAD_MS = 10_000;
const ALIVE_MS = 2_000;
/** An owner that gets no response gives the lease up before another process can take it. Its last request may be `ALIVE_MS` old. */
const SILENT_MS = DEAD_MS - 2 * ALIVE_MS;
/** How long the owner waits for an unresponsive server. */
export interface LeaseTimeouts {
  /** Timeout of connecting. The server drops a silent owner after the same time. */
  readonly deadMs: number;
  /** Timeout of a request. */
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
    // The server is unresponsive, and will notice the end by its own timeout.
    client.connection.stream.destroy();
  }
};

/** The connection that the locks of a lease belong to. It is not connected yet. */
export interface LeaseConnection {
  readonly client: Client;
  /** Fires when the connection is lost or ended, and with it all locks. */
  readonly lost: AbortSignal;
  /** Ends the connection, and with it the locks. */
  end(): Promise<void>;
}

const openLeaseConnection = (
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
 * Waits for a lease, runs work, and releases the lease. The lease is an advisory lock of a dedicated connection. It ends with the
 * process, and the server drops it if its owner has gone silent. Such an owner may not have noticed, so its writes must also be
 * fenced.
 * @param work its signal fires when the caller's signal does, or when the lease is lost.
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

const LOOK_MS = 1_000;

/** A lease on work in several parts. One process holds a part at a time. */
export interface SharedLease extends Lease {
  readonly parts: readonly string[];
}

/** The sessions that share a lease, in an order that is the same for all of them. */
const membersOf = (kind: number, name: string): Statement => sql`
  select pid, pid = pg_backend_pid() as own from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = ${kind}::bigint::oid and objid = (hashtext(${name})::bigint & 4294967295)::oid and objsubid = 2
    and mode = 'ShareLock' and granted
  order by pid`;

/**
 * Shares the parts of a lease evenly among processes. A process that holds more than its share gives up parts when others join, and
 * takes parts whose holder has ended. The locks belong to one dedicated connection, as those of `withLease` do, and the writes they
 * guard must also be fenced. Waits while a process holds the lease as a whole.
 * @param work called with the parts held. Its signal fires when the parts are to change. Once it has returned, it is called again
 *   with the new parts.
 * @throws {Error} if the connection fails while no work is running.
 */
export const withLeaseShare = async (
  connectionString: string,
  { kind, name, parts }: SharedLease,
  signal: AbortSignal,
  work: (held: readonly string[], signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const { client, lost, end } = openLeaseConnection(connectionString, name);
  const either = AbortSignal.any([signal, lost]);
  const held = new Set<string>();

  const ask = async <Row extends object>(statement: Statement): Promise<readonly Row[]> =>
    (await withGracePeriod(client.query<Row>(statement), signal, END_MS)).rows;

  const call = async (lock: string, named: string): Promise<boolean> => {
    const [row] = await ask<{ done: boolean }>(
      sql`select ${ident(lock)}(${kind}, hashtext(${named})) as done`,
    );
    return row?.done === true;
  };

  /** How many parts this process should hold, so that all members together hold all of them. */
  const quotaNow = async (): Promise<number> => {
    const members = await ask<{ own: boolean }>(membersOf(kind, name));
    const rank = members.findIndex(({ own }) => own);
    const rest = rank < parts.length % members.length ? 1 : 0;
    return Math.floor(parts.length / members.length) + rest;
  };

  const join = async () => {
    await withGracePeriod(client.connect(), signal, END_MS);
    while (!(await call('pg_try_advisory_lock_shared', name))) {
      await pause(ASK_MS, either);
      if (either.aborted) return;
    }
  };

  /** Takes free parts up to the quota. @returns whether it took any. */
  const take = async (quota: number): Promise<boolean> => {
    const before = held.size;
    for (const part of parts) {
      if (held.size >= quota) break;
      if (!held.has(part) && (await call('pg_try_advisory_lock', `${name} ${part}`))) held.add(part);
    }
    return held.size > before;
  };

  const giveUp = async (quota: number) => {
    for (const part of [...held].slice(quota)) {
      await call('pg_advisory_unlock', `${name} ${part}`);
      held.delete(part);
    }
  };

  /** Watches the other members while this one works. Its requests also keep the connection alive. */
  const watch = async (over: AbortSignal, onChange: () => void): Promise<void> => {
    let isChanged = false;
    while (!over.aborted) {
      await pause(LOOK_MS, over);
      if (over.aborted) return;
      const quota = await quotaNow();
      if (!isChanged && (quota < held.size || (await take(quota)))) {
        isChanged = true;
        onChange();
      }
    }
  };

  const workWhileUnchanged = async () => {
    const change = new AbortController();
    const over = new AbortController();
    const working = [...held];
    // A failure ends the connection, which `lost` reports.
    const watching = watch(AbortSignal.any([either, over.signal]), () => change.abort()).catch(end);
    try {
      await work(working, AbortSignal.any([either, change.signal]));
    } finally {
      over.abort();
      await watching;
    }
  };

  const share = async () => {
    await join();
    while (!either.aborted) {
      const quota = await quotaNow();
      await giveUp(quota);
      await take(quota);
      if (held.size > 0) await workWhileUnchanged();
      else await pause(LOOK_MS, either);
    }
  };

  try {
    await share();
  } catch (error) {
    // An expected end is not reported as a loss.
    if (!signal.aborted) throw error;
  } finally {
    await end();
  }
};
