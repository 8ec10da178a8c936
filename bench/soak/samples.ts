import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { Measured } from './flatness.ts';

/** Tables whose rows come and go: they hold what is in progress, and no history. */
export const WORKING_TABLES = [
  'crawl.leases',
  'crawl.buckets',
  'crawl.pool_turns',
  'crawl.demand',
  'crawl.live_traffic',
  'crawl.session_limits',
  'crawl.session_states',
  'crawl.feed_listings',
  'crawl.follow_sweeps',
  'crawl.follow_requests',
  'metering.reservations',
  'metering.idempotent_responses',
  'metering.usage_entries',
  'metering.usage_batches',
  'projections.stalls',
] as const;

/** Measurements over a soak by name: memory of processes and sizes of tables in MB, with their indexes. */
export interface Samples {
  readonly memory: ReadonlyMap<string, readonly Measured[]>;
  readonly tables: ReadonlyMap<string, readonly Measured[]>;
}

const EVERY_MS = 5_000;
const MB = 1_048_576;

/** Resident memory of processes in MB, by process id; those that have ended are missing. */
const residentMb = async (pids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  if (pids.length === 0) return new Map();
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,rss=', '-p', pids.join()]).catch(
    // It fails where one of them has ended, and prints the others.
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([pid = 0, kb = 0]) => [pid, kb / 1_024]),
  );
};

/**
 * Memory of a Postgres on this machine in MB, without what its processes share, which is bounded by a setting; null where
 * the system does not say, or not to this user.
 */
const postgresMb = async (db: pg.Pool): Promise<{ readonly pid: string; readonly mb: number } | null> => {
  try {
    const { rows } = await db.query<{ data_directory: string }>('show data_directory');
    const [postmaster = ''] = (await readFile(`${rows[0]?.data_directory}/postmaster.pid`, 'utf8')).split(
      '\n',
    );
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    let kb = 0;
    for (const pid of [postmaster, ...children.trim().split(' ')]) {
      // One may have ended meanwhile.
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      for (const [, own] of rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)) kb += Number(own);
    }
    return kb === 0 ? null : { pid: postmaster, mb: kb / 1_024 };
  } catch {
    return null;
  }
};

/** SQLSTATEs and error codes of connections that a database ends, or does not take. */
const RECOVERING = /^(?:57P|08|ECONN|EPIPE)/;
/** Errors of pg about a connection have no code. */
const CUT_OFF = /connection (?:terminated|error)|timeout exceeded when trying to connect/i;

/** Whether a statement failed because the database was struck. */
export const isRecovering = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  return code === undefined ? CUT_OFF.test(message) : RECOVERING.test(code);
};

/** Sizes of the tables; none while the database recovers from a strike. */
const tableSizes = async (
  db: pg.Pool,
): Promise<readonly { readonly name: string; readonly bytes: string }[]> => {
  try {
    const { rows } = await db.query<{ name: string; bytes: string }>(
      'select name, pg_total_relation_size(name::regclass) as bytes from unnest($1::text[]) as t(name)',
      [WORKING_TABLES],
    );
    return rows;
  } catch (error) {
    if (isRecovering(error)) return [];
    throw error;
  }
};

export interface SampleOptions {
  readonly pids: () => ReadonlyMap<string, number>;
  readonly db: pg.Pool;
  readonly nowS: () => number;
}

/** Measures until the signal fires. */
export const sample = async ({ pids, db, nowS }: SampleOptions, signal: AbortSignal): Promise<Samples> => {
  const memory = new Map<string, Measured[]>();
  const tables = new Map<string, Measured[]>();
  const add = (to: Map<string, Measured[]>, name: string, measured: Measured) => {
    to.set(name, [...(to.get(name) ?? []), measured]);
  };
  while (!signal.aborted) {
    const atS = nowS();
    const present = pids();
    const resident = await residentMb([...present.values()]);
    for (const [name, pid] of present) {
      const value = resident.get(pid);
      if (value !== undefined) add(memory, name, { atS, value, instance: String(pid) });
    }
    const postgres = await postgresMb(db);
    if (postgres !== null) add(memory, 'postgres', { atS, value: postgres.mb, instance: postgres.pid });
    for (const { name, bytes } of await tableSizes(db))
      add(tables, name, { atS, value: Number(bytes) / MB, instance: 'table' });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return { memory, tables };
};
