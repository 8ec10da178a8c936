import { createBatcher } from '../../kernel/batch.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** Storage used by a holder's Idempotency-Keys. */
interface StoredUsage {
  readonly answers: number;
  readonly bytes: number;
  /** Requests stored without a response. */
  readonly fingerprints: number;
  /** Seconds until the oldest expires. */
  readonly freedInS: number;
}

/** Limits per holder, each for a day. */
export interface IdempotencyBounds {
  readonly answers: number;
  readonly bytes: number;
  readonly fingerprints: number;
}

export const IDEMPOTENCY_BOUNDS: IdempotencyBounds = {
  answers: 50_000,
  bytes: 64 * 1024 * 1024,
  fingerprints: 1_000,
};

/** Capacity left, by holder. */
export interface IdempotencyCapacity {
  /** Seconds until there is capacity; null if there is some. */
  fullForS(holder: string, free: boolean): Promise<number | null>;
  /** Records a new request, or the response of a known one. */
  added(holder: string, free: boolean, bytes: number): void;
}

/** Between two counts a holder adds at most what its rate limit allows; additions of this process are included. */
const COUNT_MS = 10_000;
const MAX_HOLDERS = 10_000;

export const createCapacity = (
  db: Queryable,
  bounds: IdempotencyBounds,
  steadyMs: () => number = elapsedMs,
): IdempotencyCapacity => {
  const known = new Map<string, { kept: StoredUsage; readonly atMs: number; isCounted: boolean }>();

  const count = createBatcher<string, StoredUsage>(
    async (holders) => {
      const { rows } = await db.query<StoredUsage & { holder: string }>(sql.named('metering kept')`
        select v.holder, count(a.body)::int as answers, coalesce(sum(octet_length(a.body)), 0)::float8 as bytes,
          count(*) filter (where a.again)::int as fingerprints,
          greatest(1, ceil(86400 - extract(epoch from clock_timestamp() - min(a.created_at))))::int as "freedInS"
        from unnest(${holders}::text[]) as v(holder) join metering.idempotent_responses a using (holder) group by 1`);
      const found = new Map(rows.map((row) => [row.holder, row]));
      return holders.map(
        (holder) => found.get(holder) ?? { answers: 0, bytes: 0, fingerprints: 0, freedInS: 1 },
      );
    },
    { inFlight: 1 },
  );

  const keptOf = async (holder: string): Promise<StoredUsage> => {
    const found = known.get(holder);
    if (found !== undefined && steadyMs() - found.atMs < COUNT_MS) return found.kept;
    const atMs = steadyMs();
    const kept = await count(holder);
    if (known.size >= MAX_HOLDERS) known.clear();
    known.set(holder, { kept, atMs, isCounted: true });
    return kept;
  };

  const isFull = (kept: StoredUsage, free: boolean): boolean =>
    free
      ? kept.fingerprints >= bounds.fingerprints
      : kept.answers >= bounds.answers || kept.bytes >= bounds.bytes;

  return {
    fullForS: async (holder, free) => {
      let kept = await keptOf(holder);
      if (isFull(kept, free) && known.get(holder)?.isCounted === false) {
        known.delete(holder);
        kept = await keptOf(holder);
      }
      return isFull(kept, free) ? kept.freedInS : null;
    },
    added: (holder, free, bytes) => {
      const found = known.get(holder);
      if (found === undefined) return;
      const { kept } = found;
      found.isCounted = false;
      found.kept = free
        ? { ...kept, fingerprints: kept.fingerprints + 1 }
        : { ...kept, answers: kept.answers + 1, bytes: kept.bytes + bytes };
    },
  };
};
