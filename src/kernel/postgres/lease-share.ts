import { withGracePeriod } from '../grace-period.ts';
import { pause } from '../retry.ts';
import { type Lease, openLeaseConnection } from './lease.ts';
import { ident, type Statement, sql } from './statement.ts';

const ASK_MS = 500;
const LOOK_MS = 1_000;
/** Grace period of a request in flight on shutdown. */
const END_MS = 2_000;

/** The parts of the work that a lease guards: each is held by one process at a time. */
export interface SharedLease extends Lease {
  readonly parts: readonly string[];
}

/** The sessions that share a lease, in an order that all of them see. */
const membersOf = (kind: number, name: string): Statement => sql`
  select pid, pid = pg_backend_pid() as own from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = ${kind}::bigint::oid and objid = (hashtext(${name})::bigint & 4294967295)::oid and objsubid = 2
    and mode = 'ShareLock' and granted
  order by pid`;

/**
 * Shares the parts of a lease with other processes, evenly: a process that holds more than its share gives up parts
 * when others join, and takes parts whose holder has ended. The locks belong to one dedicated connection, as those of
 * `withLease`, and what the parts guard must be fenced as well. Waits while a process holds the lease as a whole.
 * @param work called with the parts held; its signal fires when they are to change, and it is called again with the new
 * ones once it has returned.
 * @throws {Error} if the connection fails while no work is done.
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

  /** Watches the other members while this one works; these requests keep the connection alive as well. */
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
