import { z } from 'zod';
import { instant } from '../accounts/reading.ts';
import { type EventOf, event } from '../log/schema.ts';

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

/** The scopes of a key that was issued without naming any. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'leads:read');

export const holderEvents = {
  HolderRegistered: event({ at: instant, holder: z.string(), name: z.string().min(1) }),
  KeyIssued: event({
    at: instant,
    /** Names the key wherever it is spoken of; tells nothing of the key itself. */
    key_id: z.string(),
    /** SHA-256 of the key, hexadecimal: all that is kept of it. */
    key_hash: z.string().regex(/^[0-9a-f]{64}$/),
    scopes: z.array(scopeSchema),
    label: z.string().nullable(),
  }),
  KeyRevoked: event({ at: instant, key_id: z.string() }),
};

export type HolderEvent = EventOf<typeof holderEvents>;
