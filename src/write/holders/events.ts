import { z } from 'zod';
import { type EventOf, event } from '../log/event-definition.ts';
import { instant, key, text, words } from '../log/event-fields.ts';

export const holderStream = (holder: string): string => `holder-${holder}`;

/** What a key may be allowed to do. `leads:read` is only ever given by name. */
export const SCOPES = [
  'accounts:read',
  'accounts:live',
  'directory:read',
  'people:read',
  'scrape:live',
  'verify:live',
  'insights:read',
  'research:read',
  'engines:read',
  'marketplace:read',
  'tools:run',
  'leads:read',
] as const;

export const scopeSchema = z.enum(SCOPES);
export type Scope = z.infer<typeof scopeSchema>;

/** Scopes that a key only has when they are asked for by name. */
export const NAMED_ONLY: ReadonlySet<Scope> = new Set(['leads:read']);

const keyId = key(100);
const keyHash = z.string().regex(/^[0-9a-f]{64}$/);
/** Whole micro-dollars, as a decimal string: sums may pass what a JSON number holds. */
const microUsd = z.string().regex(/^\d{1,18}$/);

export const holderEvents = {
  HolderRegistered: event({ at: instant, holder: key(200), name: words(1_000) }),
  /** From `at` on the holder is on this plan: a new period of 30 days begins. */
  PlanChosen: event({ at: instant, plan: key(100) }),
  KeyIssued: event({
    at: instant,
    /** Names the key wherever it is spoken of; tells nothing of the key itself. */
    key_id: keyId,
    /** SHA-256 of the key, hexadecimal: all that is kept of it. */
    key_hash: keyHash,
    scopes: z.array(scopeSchema).max(100),
    label: text(1_000).nullable(),
  }),
  /** A successor with the same grants; the old key is good until `expires_at`. */
  KeyRotated: event({
    at: instant,
    key_id: keyId,
    successor_id: keyId,
    successor_hash: keyHash,
    expires_at: instant,
  }),
  KeyRevoked: event({ at: instant, key_id: keyId }),
  /** The key is only good from these addresses (CIDR); from any where the list is empty. */
  KeyPinned: event({ at: instant, key_id: keyId, allowlist: z.array(key(64)).max(1_000) }),
  /** All that the key may do from now on. */
  ScopesGranted: event({ at: instant, key_id: keyId, scopes: z.array(scopeSchema).max(100) }),
  /** Whether requests past the budget are served and charged; `cap_micro_usd` is the most of it a period. */
  OverageSet: event({ at: instant, on: z.boolean(), cap_micro_usd: microUsd.nullable() }),
  /** `reference` is the payer's: the same one is credited once. */
  WalletCredited: event({ at: instant, amount_micro_usd: microUsd, reference: text(500).nullable() }),
  /** What a closed period came to. */
  UsageSettled: event({
    at: instant,
    period: z.int().positive(),
    plan: key(100),
    started_at: instant,
    ended_at: instant,
    requests: z.int().nonnegative(),
    budget_units: z.int().nonnegative(),
    overage_units: z.int().nonnegative(),
    overage_micro_usd: microUsd,
    live_calls: z.int().nonnegative(),
  }),
};

export type HolderEvent = EventOf<typeof holderEvents>;
