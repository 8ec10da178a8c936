import { z } from 'zod';
import { type EventOf, event } from '../log/event-definition.ts';
import { instant, key, text, words } from '../log/event-fields.ts';
import { scopeSchema } from './plans.ts';

export const holderStream = (holder: string): string => `holder-${holder}`;

const keyId = key(100);
const keyHash = z.string().regex(/^[0-9a-f]{64}$/);
/** Micro-dollars as a decimal string: sums may exceed a JSON number. */
const microUsd = z.string().regex(/^\d{1,18}$/);

export const holderEvents = {
  HolderRegistered: event({ at: instant, holder: key(200), name: words(1_000) }),
  /** The holder is on this plan from `at` on: a new period of 30 days begins. */
  PlanChosen: event({ at: instant, plan: key(100) }),
  KeyIssued: event({
    at: instant,
    /** Identifies the key in logs and commands; reveals nothing of it. */
    key_id: keyId,
    /** SHA-256 of the key, hexadecimal; the key itself is not stored. */
    key_hash: keyHash,
    scopes: z.array(scopeSchema).max(100),
    label: text(1_000).nullable(),
  }),
  /** A successor with the same grants; the old key is valid until `expires_at`. */
  KeyRotated: event({
    at: instant,
    key_id: keyId,
    successor_id: keyId,
    successor_hash: keyHash,
    expires_at: instant,
  }),
  KeyRevoked: event({ at: instant, key_id: keyId }),
  /** IP allowlist of the key (CIDR); empty allows any address. */
  KeyPinned: event({ at: instant, key_id: keyId, allowlist: z.array(key(64)).max(1_000) }),
  /** All scopes of the key from now on. */
  ScopesGranted: event({ at: instant, key_id: keyId, scopes: z.array(scopeSchema).max(100) }),
  /** Whether requests beyond the quota are served and charged; `cap_micro_usd` limits that per period. */
  OverageSet: event({ at: instant, on: z.boolean(), cap_micro_usd: microUsd.nullable() }),
  /** `reference` identifies the payment: each one is credited once. */
  WalletCredited: event({ at: instant, amount_micro_usd: microUsd, reference: text(500).nullable() }),
  /** The final figures of a closed period. */
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
