import { randomUUID } from 'node:crypto';
import { createBatcher } from '../../kernel/batch.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { createCapacity, IDEMPOTENCY_BOUNDS, type IdempotencyBounds } from './idempotency-bounds.ts';

/** A request that must have one effect however often it is sent. */
export interface IdempotentRequest {
  readonly holder: string;
  /** As the caller gave it. */
  readonly key: string;
  /** SHA-256 of all that makes the request, hexadecimal. */
  readonly fingerprint: string;
  /** Whether it costs nothing, ever: then it is carried out again, and its answer is not kept. */
  readonly free: boolean;
}

export type ClaimResult =
  /** It is this request's to carry out. */
  | { readonly state: 'claimed'; readonly claim: string }
  /** The first is under way. */
  | { readonly state: 'in_flight' }
  /** The key was used for another request. */
  | { readonly state: 'mismatch' }
  /** The body that the first was answered with. */
  | { readonly state: 'answered'; readonly body: string }
  /** Nothing can be kept of it, for so long: its holder has too much. */
  | { readonly state: 'full'; readonly freedInS: number };

/** The first answers of idempotent requests, kept for a day. */
export interface IdempotencyStore {
  claim(request: IdempotentRequest): Promise<ClaimResult>;
  /**
   * Keeps the answer and makes its live call's charge final, both or neither. Of what costs nothing only the request
   * is kept.
   * @returns false where the claim or the reservation had lapsed: the answer must not be given then.
   */
  finish(
    request: IdempotentRequest,
    claim: string,
    body: string,
    reservation: string | null,
  ): Promise<boolean>;
  /** Gives the claim up: there is no answer worth keeping. */
  drop(request: IdempotentRequest, claim: string): Promise<void>;
}

/** Seconds until another request may take up what one left: as long as a live call's reservation lasts. */
const LAPSE_S = 300;

/** What stands under a key: whose request it is, and what became of it. */
interface Stored {
  readonly holder: string;
  readonly key: string;
  /** Hexadecimal. */
  readonly fingerprint: string;
  /** Null while its request is under way. */
  readonly body: string | null;
  /** Whether it is to be carried out again. */
  readonly again: boolean;
}

const storageKey = ({ holder, key }: Pick<IdempotentRequest, 'holder' | 'key'>): string => `${holder} ${key}`;

/**
 * Claims keys that are free, each for one request.
 * @returns the claims, by the name of the key.
 */
const claimFree = async (
  db: Queryable,
  requests: readonly IdempotentRequest[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await db.query<{ holder: string; key: string; claim: string }>({
    name: 'metering claim',
    text: `insert into metering.idempotent_responses as a (holder, key, fingerprint, claim, expires_at, created_at)
           select v.holder, v.key, decode(v.fingerprint, 'hex'), v.claim,
             clock_timestamp() + make_interval(secs => ${LAPSE_S}), clock_timestamp()
           from unnest($1::text[], $2::text[], $3::text[], $4::uuid[]) as v(holder, key, fingerprint, claim)
           order by v.holder collate "C", v.key collate "C"
           on conflict (holder, key) do update set fingerprint = excluded.fingerprint, claim = excluded.claim,
             expires_at = excluded.expires_at, body = null, again = false,
             created_at = excluded.created_at
           where a.created_at < clock_timestamp() - interval '24 hours'
             or a.body is null and a.expires_at < clock_timestamp()
               and (not a.again or a.fingerprint = excluded.fingerprint)
           returning holder, key, claim`,
    values: [
      requests.map((r) => r.holder),
      requests.map((r) => r.key),
      requests.map((r) => r.fingerprint),
      requests.map(() => randomUUID()),
    ],
  });
  return new Map(rows.map((row) => [storageKey(row), row.claim]));
};

const findStored = async (
  db: Queryable,
  requests: readonly IdempotentRequest[],
): Promise<ReadonlyMap<string, Stored>> => {
  if (requests.length === 0) return new Map();
  const { rows } = await db.query<Stored>({
    name: 'metering answers',
    text: `select a.holder, a.key, encode(a.fingerprint, 'hex') as fingerprint, a.body, a.again
           from unnest($1::text[], $2::text[]) as v(holder, key)
           join metering.idempotent_responses a on a.holder = v.holder and a.key = v.key`,
    values: [requests.map((r) => r.holder), requests.map((r) => r.key)],
  });
  return new Map(rows.map((row) => [storageKey(row), row]));
};

const stateOf = (request: IdempotentRequest, stored: Stored | undefined): ClaimResult => {
  // One that was dropped between the two queries was under way: the caller asks again.
  if (stored === undefined) return { state: 'in_flight' };
  if (stored.fingerprint !== request.fingerprint) return { state: 'mismatch' };
  return stored.body === null ? { state: 'in_flight' } : { state: 'answered', body: stored.body };
};

export const createIdempotencyStore = (
  db: Queryable,
  bounds: IdempotencyBounds = IDEMPOTENCY_BOUNDS,
): IdempotencyStore => {
  const capacity = createCapacity(db, bounds);
  const claim = createBatcher<IdempotentRequest, ClaimResult>(
    async (requests) => {
      // Of those that carry the same key, the first may claim it.
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
      // What is there already takes up no more room.
      const stored = (await findStored(db, [request])).get(storageKey(request));
      return stored === undefined ? { state: 'full', freedInS } : claim(request);
    },
    finish: async ({ holder, key, free }, claim, body, reservation) => {
      capacity.added(holder, free, Buffer.byteLength(body));
      const { rows } = await db.query<{ stored: boolean }>({
        name: 'metering finish',
        text: `with mine as (
               select from metering.idempotent_responses where holder = $1 and key = $2 and claim = $3 and body is null for update
             ), settled as (
               delete from metering.reservations where id = $5 and exists (select from mine) returning id
             ), stored as (
               update metering.idempotent_responses set body = $4, again = $6,
                 expires_at = case when $6 then clock_timestamp() else expires_at end
               where holder = $1 and key = $2 and exists (select from mine)
                 and ($5::uuid is null or exists (select from settled))
               returning 1
             )
             select exists (select from stored) as stored`,
        values: [holder, key, claim, free ? null : body, reservation, free],
      });
      return rows[0]?.stored ?? false;
    },
    drop: async ({ holder, key }, claim) => {
      await db.query({
        name: 'metering drop claim',
        text: 'delete from metering.idempotent_responses where holder = $1 and key = $2 and claim = $3 and body is null',
        values: [holder, key, claim],
      });
    },
  };
};
