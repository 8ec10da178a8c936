import { createBatcher } from '../kernel/batch.ts';
import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Builds } from '../read/active-builds.ts';
import { dueSql } from '../read/frontier/frontier.ts';

/** An account leased to this worker. */
export interface Lease {
  readonly handle: string;
  /** The pool that recruited it. */
  readonly pool: string;
  /** Whether no reading of it was conclusive yet. */
  readonly isNew: boolean;
  /** Consecutive inconclusive readings. */
  readonly failures: number;
  /** End of the lease, milliseconds since 1970. */
  readonly untilMs: number;
}

/** A lease whose account was read: it is not leased again before this time. */
interface Completed {
  readonly platform: Platform;
  readonly handle: string;
  readonly untilMs: number;
}

export interface Frontier {
  lease(platform: Platform, max: number, nowMs: number): Promise<readonly Lease[]>;
  /** Completes a lease: the account is not due until the frontier has seen its event. */
  done(platform: Platform, handle: string, nowMs: number): Promise<void>;
  /** Schedules a retry after an inconclusive reading. */
  retry(platform: Platform, lease: Lease, untilMs: number): Promise<void>;
  /** Releases leases of accounts that were not read. */
  release(platform: Platform, leases: readonly Lease[]): Promise<void>;
  /** Deletes long expired leases. */
  sweep(nowMs: number): Promise<void>;
}

/** Maximum lag of the frontier before an account could be read twice. */
const HEARD_MS = 15_000;
const SWEEP_MS = 86_400_000;

export const createFrontier = (db: Queryable, builds: Builds, worker: string, leaseMs: number): Frontier => {
  /** Those of one tick share a statement. */
  const complete = createBatcher<Completed, void>(async (leases) => {
    await db.query({
      name: 'leases_complete',
      text: `update crawl.leases l set until = done.until, failures = 0
             from unnest($2::text[], $3::text[], $4::timestamptz[]) as done(platform, handle, until)
             where l.platform = done.platform and l.handle = done.handle and l.worker = $1`,
      values: [
        worker,
        leases.map(({ platform }) => platform),
        leases.map(({ handle }) => handle),
        leases.map(({ untilMs }) => new Date(untilMs)),
      ],
    });
    return leases.map(() => undefined);
  });
  return {
    lease: async (platform, max, nowMs) => {
      const untilMs = nowMs + leaseMs;
      const { rows } = await db.query<Pick<Lease, 'handle' | 'pool' | 'isNew' | 'failures'>>(
        `with due as (${dueSql(builds, platform)}),
         leased as (
           insert into crawl.leases as l (platform, handle, worker, until)
           select platform, handle, $4, $5 from due
           on conflict (platform, handle) do update set worker = excluded.worker, until = excluded.until
             where l.until <= $2
           returning handle, failures
         )
         select handle, due.pool, due.is_new as "isNew", failures from leased join due using (handle)`,
        [platform, new Date(nowMs), max, worker, new Date(untilMs)],
      );
      return rows.map((row) => ({ ...row, untilMs }));
    },
    done: (platform, handle, nowMs) => complete({ platform, handle, untilMs: nowMs + HEARD_MS }),
    retry: async (platform, { handle, failures }, untilMs) => {
      await db.query({
        name: 'lease_retry',
        text: `update crawl.leases set until = $4, failures = $5
               where platform = $1 and handle = $2 and worker = $3`,
        values: [platform, handle, worker, new Date(untilMs), failures + 1],
      });
    },
    release: async (platform, leases) => {
      const handles = leases.map((lease) => lease.handle);
      if (handles.length === 0) return;
      // Releasing keeps the count of failures.
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
