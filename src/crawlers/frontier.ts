import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Builds } from '../read/active-builds.ts';
import { dueSql } from '../read/frontier/frontier.ts';

/** An account that this worker, and nobody else, is to read until the lease ends. */
export interface Lease {
  readonly handle: string;
  /** Readings in a row that proved nothing. */
  readonly failures: number;
  /** Milliseconds since 1970 from which on somebody else may have the account. */
  readonly untilMs: number;
}

export interface Frontier {
  lease(platform: Platform, max: number, nowMs: number): Promise<readonly Lease[]>;
  /** The account was read: it is left alone until the frontier has heard of it. */
  done(platform: Platform, handle: string, nowMs: number): Promise<void>;
  /** The reading proved nothing: not again before then. */
  retry(platform: Platform, lease: Lease, untilMs: number): Promise<void>;
  /** The accounts were not read after all: anybody may take them. */
  release(platform: Platform, leases: readonly Lease[]): Promise<void>;
  /** Forgets leases that ended long ago. */
  sweep(nowMs: number): Promise<void>;
}

/** What the frontier may lag behind the log before an account is read twice. */
const HEARD_MS = 15_000;
const SWEEP_MS = 86_400_000;

export const createFrontier = (db: Queryable, builds: Builds, worker: string, leaseMs: number): Frontier => {
  const shorten = async (
    platform: Platform,
    handles: readonly string[],
    untilMs: number,
    failures: number,
  ) => {
    await db.query({
      name: 'lease_shorten',
      text: `update crawl.leases set until = $4, failures = $5
             where platform = $1 and handle = any($2) and worker = $3`,
      values: [platform, handles, worker, new Date(untilMs), failures],
    });
  };
  return {
    lease: async (platform, max, nowMs) => {
      const untilMs = nowMs + leaseMs;
      const { rows } = await db.query<Pick<Lease, 'handle' | 'failures'>>(
        `with due as (${dueSql(builds, platform)})
         insert into crawl.leases as l (platform, handle, worker, until)
         select platform, handle, $4, $5 from due
         on conflict (platform, handle) do update set worker = excluded.worker, until = excluded.until
           where l.until <= $2
         returning handle, failures`,
        [platform, new Date(nowMs), max, worker, new Date(untilMs)],
      );
      return rows.map((row) => ({ ...row, untilMs }));
    },
    done: (platform, handle, nowMs) => shorten(platform, [handle], nowMs + HEARD_MS, 0),
    retry: (platform, lease, untilMs) => shorten(platform, [lease.handle], untilMs, lease.failures + 1),
    release: async (platform, leases) => {
      const handles = leases.map((lease) => lease.handle);
      if (handles.length === 0) return;
      // What failed before is not forgotten by not having been tried.
      await db.query({
        name: 'lease_release',
        text: `update crawl.leases set until = 'epoch' where platform = $1 and handle = any($2) and worker = $3`,
        values: [platform, handles, worker],
      });
    },
    sweep: async (nowMs) => {
      await db.query('delete from crawl.leases where until < $1', [new Date(nowMs - SWEEP_MS)]);
    },
  };
};
