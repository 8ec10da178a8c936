/** Idempotent requests: claims, stored responses, and limits of storage. */

import { randomUUID } from 'node:crypto';
import { createBatcher } from '../../kernel/batch.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import {
  EXPIRED,
  type PartSettlement,
  retryWhileLocked,
  SETTLED_PART,
  type SettledPart,
  type SettledPartRow,
  type Settlement,
  settledPartOf,
  settlementOf,
  WHOLE,
} from './charges.ts';
import { CLAIM_LEASE_S, createClaimLeases } from './claim-leases.ts';

/** A request that takes effect once however often it is sent. */
export interface IdempotentRequest {
  readonly holder: string;
  /** As the caller sent it. */
  readonly key: string;
  /** SHA-256 in hexadecimal of everything that identifies the request. */
  readonly fingerprint: string;
  /** Whether the request is always free of charge. It is then executed again, and its response is not stored. */
  readonly free: boolean;
}

export type ClaimResult =
  /** This request may execute. */
  | { readonly state: 'claimed'; readonly claim: string }
  /** The first request is in flight. */
  | { readonly state: 'in_flight' }
  /** The key was used for another request. */
  | { readonly state: 'mismatch' }
  /** The body of the first response. */
  | { readonly state: 'answered'; readonly body: string }
  /** The holder's storage is full for this many seconds. */
  | { readonly state: 'full'; readonly freedInS: number };

/** First responses of idempotent requests, stored for a day. */
export interface IdempotencyStore {
  claim(request: IdempotentRequest): Promise<ClaimResult>;
  /**
   * Stores the response and settles its reservation, if it has one, atomically. For a free request only the fingerprint is stored.
   * `expired` means that the claim or the reservation had expired: nothing was stored.
   * @throws {AdmissionTimeoutError} if the holder stays locked. Nothing was stored or settled.
   */
  finish(
    request: IdempotentRequest,
    claim: string,
    body: string,
    part: ReservedPart | null,
  ): Promise<Settlement>;
  /** Releases the claim: there is no response to store. */
  drop(request: IdempotentRequest, claim: string): Promise<void>;
}

/** A reservation, and the number of its items that have a result; null for all. */
export interface ReservedPart {
  readonly reservation: string;
  readonly used: number | null;
}

/** A stored key: its request, and the response if there is one. */
interface Stored {
  readonly holder: string;
  readonly key: string;
  /** Hexadecimal. */
  readonly fingerprint: string;
  /** Null while its request is in flight. */
  readonly body: string | null;
  /** Whether the request is executed again. */
  readonly again: boolean;
}

const storageKey = ({ holder, key }: Pick<IdempotentRequest, 'holder' | 'key'>): string => `${holder} ${key}`;

/**
 * Claims free keys, each for one request.
 * @returns the claims by storage key.
 */
const claimFree = async (
  db: Queryable,
  requests: readonly IdempotentRequest[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await db.query<{ holder: string; key: string; claim: string }>(sql.named('metering claim')`
    insert into metering.idempotent_responses as a (holder, key, fingerprint, claim, expires_at, created_at)
    select v.holder, v.key, decode(v.fingerprint, 'hex'), v.claim,
      clock_timestamp() + make_interval(secs => ${raw(CLAIM_LEASE_S)}), clock_timestamp()
    from unnest(${requests.map((r) => r.holder)}::text[], ${requests.map((r) => r.key)}::text[],
      ${requests.map((r) => r.fingerprint)}::text[], ${requests.map(() => randomUUID())}::uuid[]) as v(holder, key,
      fingerprint, claim)
    order by v.holder collate "C", v.key collate "C"
    on conflict (holder, key) do update set fingerprint = excluded.fingerprint, claim = excluded.claim,
      expires_at = excluded.expires_at, body = null, again = false,
      created_at = excluded.created_at
    where a.created_at < clock_timestamp() - interval '24 hours'
      or a.body is null and a.expires_at < clock_timestamp()
        and (not a.again or a.fingerprint = excluded.fingerprint)
    returning holder, key, claim`);
  return new Map(rows.map((row) => [storageKey(row), row.claim]));
};

const findStored = async (
  db: Queryable,
  requests: readonly IdempotentRequest[],
): Promise<ReadonlyMap<string, Stored>> => {
  if (requests.length === 0) return new Map();
  const { rows } = await db.query<Stored>(sql.named('metering answers')`
    select a.holder, a.key, encode(a.fingerprint, 'hex') as fingerprint, a.body, a.again
    from unnest(${requests.map((r) => r.holder)}::text[], ${requests.map((r) => r.key)}::text[]) as v(holder, key)
    join metering.idempotent_responses a on a.holder = v.holder and a.key = v.key`);
  return new Map(rows.map((row) => [storageKey(row), row]));
};

const stateOf = (request: IdempotentRequest, stored: Stored | undefined): ClaimResult => {
  // It was released between the two queries, so it was in flight: the caller retries.
  if (stored === undefined) return { state: 'in_flight' };
  if (stored.fingerprint !== request.fingerprint) return { state: 'mismatch' };
  return stored.body === null ? { state: 'in_flight' } : { state: 'answered', body: stored.body };
};

/** Stores a response and settles its reservation in part; neither happens without the other. */
const storeWithPart = async (
  db: Queryable,
  { holder, key }: IdempotentRequest,
  claim: string,
  body: string,
  { reservation, used }: PartSettlement,
): Promise<SettledPart> => {
  const { rows } = await db.query<SettledPartRow>(sql.named('metering finish part')`
    with mine as materialized (
      select from metering.idempotent_responses where holder = ${holder} and key = ${key} and claim = ${claim}
        and body is null for update
    ), settled as materialized (
      select s.* from mine cross join lateral metering.settle_part(array[${reservation}::uuid],
        array[${used}::bigint]) s
    ), stored as (
      update metering.idempotent_responses set body = ${body}
      where holder = ${holder} and key = ${key} and exists (select from settled where not is_busy)
    )
    select ${raw(SETTLED_PART)} from settled`);
  return settledPartOf(rows[0]);
};

/** Stores a response and settles its reservation; neither happens without the other. */
const store = async (
  db: Queryable,
  { holder, key, free }: IdempotentRequest,
  claim: string,
  body: string,
  reservation: string | null,
): Promise<boolean> => {
  const { rows } = await db.query<{ stored: boolean }>(sql.named('metering finish')`
    with mine as (
      select from metering.idempotent_responses where holder = ${holder} and key = ${key} and claim = ${claim}
        and body is null for update
    ), settled as (
      delete from metering.reservations where id = ${reservation} and exists (select from mine) returning id
    ), stored as (
      update metering.idempotent_responses set body = ${free ? null : body}, again = ${free},
        expires_at = case when ${free} then clock_timestamp() else expires_at end
      where holder = ${holder} and key = ${key} and exists (select from mine)
        and (${reservation}::uuid is null or exists (select from settled))
      returning 1
    )
    select exists (select from stored) as stored`);
  return rows[0]?.stored ?? false;
};

export const createIdempotencyStore = (
  db: Queryable,
  logger: Logger,
  bounds: IdempotencyBounds = IDEMPOTENCY_BOUNDS,
): IdempotencyStore => {
  const leases = createClaimLeases(db, logger);
  const capacity = createCapacity(db, bounds);
  const claim = createBatcher<IdempotentRequest, ClaimResult>(
    async (requests) => {
      // Of requests with the same key, the first may claim it.
      const firsts = new Map<string, IdempotentRequest>();
      for (const request of requests) {
        if (!firsts.has(storageKey(request))) firsts.set(storageKey(request), request);
      }
      const claims = await claimFree(db, [...firsts.values()]);
      const taken = [...firsts.values()].filter((request) => !claims.has(storageKey(request)));
      const stored = await findStored(db, taken);
      return requests.map((request) => {
        const name = storageKey(request);
        const claim = claims.get(name);
        if (claim === undefined) return stateOf(request, stored.get(name));
        const first = firsts.get(name) as IdempotentRequest;
        if (request === first) leases.hold(request, claim);
        return request === first
          ? { state: 'claimed', claim }
          : stateOf(request, { ...first, body: null, again: false });
      });
    },
    { inFlight: 1 },
  );
  return {
    claim: async (request) => {
      const { holder, free } = request;
      const freedInS = await capacity.fullForS(holder, free);
      if (freedInS === null) return claim(request);
      // An existing key needs no capacity.
      const stored = (await findStored(db, [request])).get(storageKey(request));
      return stored === undefined ? { state: 'full', freedInS } : claim(request);
    },
    finish: async (request, claim, body, part) => {
      capacity.added(request.holder, request.free, Buffer.byteLength(body));
      try {
        if (part !== null && part.used !== null) {
          const { reservation, used } = part;
          const settled = () => storeWithPart(db, request, claim, body, { reservation, used });
          return settlementOf(await retryWhileLocked(settled));
        }
        return (await store(db, request, claim, body, part?.reservation ?? null)) ? WHOLE : EXPIRED;
      } finally {
        leases.release(claim);
      }
    },
    drop: async ({ holder, key }, claim) => {
      leases.release(claim);
      await db.query(sql.named('metering drop claim')`
        delete from metering.idempotent_responses where holder = ${holder} and key = ${key} and claim = ${claim}
          and body is null`);
    },
  };
};

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

const createCapacity = (
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

/** Responses deleted in one statement. */
const MAX_EXPIRED = 500;

/** Deletes idempotent responses older than a day. @returns how many. */
export const dropExpiredResponses = async (db: Queryable): Promise<number> => {
  let dropped = 0;
  for (;;) {
    const { rowCount } = await db.query(sql`
      delete from metering.idempotent_responses where ctid = any (array(
        select ctid from metering.idempotent_responses where created_at < clock_timestamp() - interval '24 hours'
        order by created_at limit ${MAX_EXPIRED}
      )) and created_at < clock_timestamp() - interval '24 hours'`);
    dropped += rowCount ?? 0;
    if ((rowCount ?? 0) < MAX_EXPIRED) return dropped;
  }
};
