/**
 * Subjects: accounts that were erased. The log names them by digests alone.
 * What is promised: `docs/privacy.md`.
 */

import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { PLATFORMS, type Platform, platformSchema } from '../../kernel/platform.ts';
import { counts, type EventOf, event, instant, key, list } from '../log/event-definition.ts';

const digest = key(64);
const hint = z.int().nonnegative().max(0xff_ff_ff_ff);

/** What names a subject, without saying it. */
const mark = z.strictObject({ digest, hint });

const MARKS = {
  max: 1_000,
  maxChars: 100_000,
  charsOf: (one: { readonly digest: string }) => one.digest.length,
};

/** Revisions of a stream's events; -1 is before the first one. */
const revision = z.int().min(-1);

/** What is void in a stream. Each category has a type of its own, so that views subscribe to those of theirs. */
const voided = {
  at: instant,
  subject: digest,
  /** The revisions that are about it; -1 to -1 if none is. */
  from: revision,
  through: revision,
  /** When another account was first seen to have the handle; null if none was. */
  since: instant.nullable(),
  /** True of one of the events of an erasure: what tells of it once follows from that one. */
  is_first: z.boolean(),
};

const refused = {
  at: instant,
  platform: platformSchema,
  /** The digest that names it: of its native ID, or of its handle where its platform shows no ID. */
  subject: digest,
  /** Of its native ID; null where its platform shows none. */
  id: mark.nullable(),
  /** Of the handles that are refused until another account is seen to have them. */
  handles: list(mark, MARKS),
};

export const subjectEvents = {
  /** From here on the log refuses the account. */
  SubjectErased: event(refused),
  /** The same, but the log keeps what it has of it. `due`: when it is to be erased; null if it is not. */
  SubjectSuppressed: event({ ...refused, due: instant.nullable() }),
  /** A suppressed account may be read again. */
  SubjectReleased: event({ at: instant, subject: digest }),
  /** All that the log has of it counts again: what voided it since its suppression is void itself. */
  SubjectShown: event({ at: instant, subject: digest }),
  /** One of its handles belongs to another account now. */
  SubjectHandleLifted: event({ at: instant, subject: digest, handle: digest }),
  /** An operator lets the account be read again. What was erased stays erased. */
  SubjectLifted: event({ at: instant, subject: digest }),
  /** Nothing in the log or in a read model names it any more. */
  SubjectForgotten: event({
    at: instant,
    subject: digest,
    /** Its own events, and those of others that named it. */
    events: z.int().nonnegative(),
    references: z.int().nonnegative(),
    /** Rows of other tables, by table. */
    rows: counts(100, 100),
  }),
  /** Streams of a log that nothing can be removed from begin later: what they had of subjects is void, and others' events follow. */
  SubjectStreamsTruncated: event({
    at: instant,
    streams: list(z.strictObject({ ...mark.shape, before: z.int().positive() }), MARKS),
    /** Events of others that were appended again. */
    appended: z.int().nonnegative(),
  }),
  /** What a stream says of a subject is void: in the streams of its account, of its lists, of its facts, and of its listings. */
  AccountErased: event(voided),
  FollowsErased: event(voided),
  LeadErased: event(voided),
  ListingErased: event(voided),
};
export type SubjectEvent = EventOf<typeof subjectEvents>;

/** What operators do with requests of people, without their names. */
export const requestEvents = {
  /** It was taken out of the queue, with the reason of whoever did it. */
  RequestDismissed: event({ at: instant, request: z.uuid(), act: key(20), platform: platformSchema }),
};

export const REQUESTS_STREAM = 'subject-requests';

/** The stream of all subjects: each process follows it. */
export const SUBJECTS_STREAM = 'subject-ledger';

export type NameKind = 'id' | 'handle';

/** A digest, which only who has the key can make, and 32 bits that are compared first. */
export type Mark = z.infer<typeof mark>;

/** Makes the marks of names. */
export interface Marker {
  hint(platform: Platform, kind: NameKind, name: string): number;
  digest(platform: Platform, kind: NameKind, name: string): string;
  streamHint(stream: string): number;
  streamDigest(stream: string): string;
}

const FNV_PRIME = 0x01_00_01_93;

const fnv = (seed: number, text: string): number => {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
};

/** @param secret 32 bytes that never change: marks made with others match nothing. */
export const createMarker = (secret: Buffer): Marker => {
  // Asked for each name of each event: what precedes the name is hashed once.
  const seedsOf = (kind: NameKind) =>
    Object.fromEntries(
      PLATFORMS.map((platform) => [platform, fnv(fnv(secret.readUInt32BE(0), kind), platform)]),
    ) as Record<Platform, number>;
  const seeds: Readonly<Record<NameKind, Readonly<Record<Platform, number>>>> = {
    id: seedsOf('id'),
    handle: seedsOf('handle'),
  };
  const ofStreams = fnv(secret.readUInt32BE(0), 'stream');
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  return {
    hint: (platform, kind, name) => fnv(seeds[kind][platform], name) >>> 0,
    digest: (platform, kind, name) => digest(`${kind}\0${platform}\0${name}`),
    streamHint: (stream) => fnv(ofStreams, stream) >>> 0,
    streamDigest: (stream) => digest(`stream\0${stream}`),
  };
};

export const markOf = (marker: Marker, platform: Platform, kind: NameKind, name: string): Mark => ({
  digest: marker.digest(platform, kind, name),
  hint: marker.hint(platform, kind, name),
});

/** No handle of any platform begins with it. */
const MASK = '~erased-';

/** What stands in place of a name where something has to: the same for each name of a subject's handle. */
export const maskOf = (digest: string): string => `${MASK}${digest.slice(0, 16)}`;

/** Whether a name is that of an erased account. */
export const isMasked = (name: string): boolean => name.startsWith(MASK);

const VOIDED = [
  ['account-', 'AccountErased'],
  // Of link pages that nobody else links to: views of accounts have them.
  ['linkpage-', 'AccountErased'],
  ['follows-', 'FollowsErased'],
  ['company-', 'LeadErased'],
  ['decisionmaker-', 'LeadErased'],
  ['listing-', 'ListingErased'],
] as const;

/** Types of the events that void what a stream says of a subject. */
export type VoidingType = (typeof VOIDED)[number][1];

export const VOIDING: ReadonlySet<string> = new Set(VOIDED.map(([, type]) => type));

/** The type that voids what a stream says. */
export const voidingTypeOf = (stream: string): VoidingType => {
  const found = VOIDED.find(([category]) => stream.startsWith(category));
  if (found === undefined) throw new Error(`${stream} is not a stream of accounts`);
  return found[1];
};
