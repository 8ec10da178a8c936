import { createHmac } from 'node:crypto';
import type { Platform } from '../../kernel/platform.ts';
import type { ConclusiveReading } from '../engine/sighting.ts';

/** The claim that a code proves: a holder, for one of its users, asks about an account. */
export interface OwnershipClaim {
  readonly holder: string;
  readonly platform: Platform;
  /** Normalized handle, or `id:` and the native ID. */
  readonly account: string;
  /** The holder's own ID of its user; without it all its users share one code. */
  readonly reference?: string | undefined;
}

/** Parts of an account in which a code counts. */
export const PARTS = ['bio', 'name', 'post'] as const;

export type Part = (typeof PARTS)[number];

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Until when a code of a day is valid, ms since 1970. */
export const validUntilMs = (day: number): number => (day + CODE_DAYS) * DAY_MS;

/** The code of a claim on a day: 60 bits of an HMAC, so that nothing has to be stored. */
export const codeOf = (
  secret: Buffer,
  { holder, platform, account, reference }: OwnershipClaim,
  day: number,
): string => {
  const parts = ['sightline ownership', holder, platform, account, day];
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(reference === undefined ? parts : [...parts, reference]))
    .digest();
  return `sl-${groupsOf(digest)}`;
};

/** 60 bits of a digest, as people copy them. */
const groupsOf = (digest: Buffer): string =>
  Array.from({ length: GROUPS * GROUP }, (_, i) => DIGITS[(digest[i] as number) & 31])
    .join('')
    .match(/.{4}/g)
    ?.join('-') ?? '';

/** What people do with their own account at `/privacy`. */
export const ACTS = ['erase', 'export', 'undo'] as const;
export type Act = (typeof ACTS)[number];

/** The claim that a code of an act proves. */
export interface ActClaim {
  readonly act: Act;
  readonly platform: Platform;
  /** Normalized handle, or `id:` and the native ID. */
  readonly account: string;
  /** The browser's session. */
  readonly session: string;
  /** When the code was made, in seconds since 1970. */
  readonly madeAtS: number;
}

/**
 * The code of an act, which names it: nobody can be talked into it by a code that looks like one of ownership, and none of these
 * verifies ownership.
 */
export const actCodeOf = (secret: Buffer, { act, platform, account, session, madeAtS }: ActClaim): string => {
  const parts = ['sightline privacy', act, platform, account, session, madeAtS];
  return `sightline-${act}-${groupsOf(createHmac('sha256', secret).update(JSON.stringify(parts)).digest())}`;
};

/** Whether a bio shows the code of an act. */
export const showsActCode = (bio: string | null, act: Act, code: string): boolean =>
  codesIn(bio, ACT_CODES[act], `sightline-${act}`).includes(code);

/** Every code of a claim that is valid at a time. */
export const validCodes = (
  secrets: readonly Buffer[],
  claim: OwnershipClaim,
  nowMs: number,
): ReadonlySet<string> =>
  new Set(
    secrets.flatMap((secret) =>
      Array.from({ length: CODE_DAYS }, (_, ago) => codeOf(secret, claim, dayOf(nowMs) - ago)),
    ),
  );

/**
 * The first of the given parts in which an account shows one of the codes; null if none does. Only original posts count,
 * since reposts, quotes, forwarded posts and replies may have another author.
 */
export const findCode = (
  reading: ConclusiveReading,
  codes: ReadonlySet<string>,
  parts: readonly Part[] = PARTS,
): Part | null => {
  if (reading.status !== 'present' && reading.status !== 'private') return null;
  const has = (text: string | null) => codesIn(text, CODE, 'sl').some((code) => codes.has(code));
  if (parts.includes('bio') && has(reading.profile.bio)) return 'bio';
  if (parts.includes('name') && has(reading.profile.display_name)) return 'name';
  if (!parts.includes('post')) return null;
  const own = (reading.posts ?? []).filter(
    ({ kind, target, reply_to }) => kind === 'original' && target === null && reply_to === null,
  );
  return own.some(({ text }) => has(text)) ? 'post' : null;
};

/** The given parts of an account that a reading showed. */
export const checkedParts = (reading: ConclusiveReading, parts: readonly Part[] = PARTS): Part[] => {
  if (reading.status !== 'present' && reading.status !== 'private') return [];
  const { profile, measured, posts } = reading;
  const isShown: Readonly<Record<Part, boolean>> = {
    bio: profile.bio !== null || measured.includes('bio'),
    name: profile.display_name !== null || measured.includes('display_name'),
    post: posts !== null,
  };
  return parts.filter((part) => isShown[part]);
};

/** Days for which a code is valid, the day it is made for included. */
const CODE_DAYS = 7;
const DAY_MS = 86_400_000;

/** Crockford's base32, which has no look-alike letters. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 3;
const GROUP = 4;

const codePattern = (prefix: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${prefix}-([\\da-z]{4})-([\\da-z]{4})-([\\da-z]{4})(?![\\p{L}\\p{N}])`,
    'gu',
  );

const CODE = codePattern('sl');
const ACT_CODES: Readonly<Record<Act, RegExp>> = {
  erase: codePattern('sightline-erase'),
  export: codePattern('sightline-export'),
  undo: codePattern('sightline-undo'),
};

/** Codes in a text, normalized: platforms and people change dashes, case and look-alike letters. */
const codesIn = (text: string | null, pattern: RegExp, prefix: string): string[] =>
  text === null
    ? []
    : [
        ...text
          .normalize('NFKC')
          .toLowerCase()
          .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
          .replace(/\p{Pd}/gu, '-')
          .matchAll(pattern),
      ].map(
        ([, ...groups]) =>
          `${prefix}-${groups.slice(0, GROUPS).join('-').replaceAll('o', '0').replace(/[il]/g, '1').replaceAll('u', 'v')}`,
      );
