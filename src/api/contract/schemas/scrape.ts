import { z } from 'zod';
import type { LiveReading } from '../../../crawlers/live-read/reader.ts';
import type { Address } from '../../../crawlers/platforms/adapter.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import type { AccountKey } from '../../../read/accounts/lookups.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import type { AccountStatus } from '../../../write/accounts/events.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile } from '../../../write/accounts/reading.ts';
import type { Services } from '../../services.ts';
import type { ListedAccount } from '../endpoint.ts';
import { text } from '../parse-request.ts';
import { EXAMPLE_ENTRY, entrySchema } from './directory.ts';

const instant = z.iso.datetime();
const count = z.int().nonnegative().nullable();

/** A handle of X in a query or body. */
export const xHandle = text(1, 1_024).describe('A handle of X, with or without `@`.');

/** @throws {ServiceError} `invalid_request` if it is no handle of X. */
export const xHandleKey = (services: Services, handle: string, path: string): AccountKey => {
  const { parseHandle, handlePattern } = services.adapterOf('x');
  const value = parseHandle(handle);
  if (value !== null) return { platform: 'x', by: 'handle', value };
  throw new ServiceError('invalid_request', 'This is not a handle of X.', {
    details: [{ path, message: `not a handle of X: a handle is ${handlePattern}, with or without @` }],
  });
};

export const addressOf = ({ by, value }: AccountKey): Address =>
  by === 'id' ? { kind: 'id', id: value } : { kind: 'handle', handle: value };

/** An entry of the directory, read just now. */
export const liveEntrySchema = entrySchema
  .extend({
    first_seen_at: instant.nullable(),
    last_seen_at: instant.nullable().describe('When it was last found to exist.'),
    observed_at: instant.describe('When the platform was read.'),
  })
  .meta({ id: 'LiveEntry' });

export type LiveEntry = z.input<typeof liveEntrySchema>;

export const EXAMPLE_LIVE_ENTRY: LiveEntry = {
  ...EXAMPLE_ENTRY,
  last_seen_at: '2026-11-21T08:30:00.000Z',
  observed_at: '2026-11-21T08:30:00.000Z',
};

export const statusOfReading = ({ status }: Pick<LiveReading['reading'], 'status'>): AccountStatus =>
  status === 'present' ? 'active' : status;

/** A live reading as an entry. An account that is gone has its name and what the catalog knows. */
export const liveEntryOf = (
  key: AccountKey,
  { reading, observedAtMs }: LiveReading,
  known: FoundEntry | null,
): LiveEntry => {
  const observedAt = isoOf(observedAtMs);
  const seen = reading.status === 'present' || reading.status === 'private' ? reading.profile : null;
  const { id: _, handle: __, links, ...shown } = seen ?? emptyProfile('');
  return {
    platform: key.platform,
    id: seen?.id ?? (key.by === 'id' ? key.value : (known?.entry.id ?? null)),
    handle: seen?.handle ?? (key.by === 'handle' ? key.value : (known?.entry.handle ?? null)),
    ...shown,
    links: [...links],
    first_seen_at: known?.entry.first_seen_at ?? (seen === null ? null : observedAt),
    last_seen_at: seen === null ? (known?.entry.last_seen_at ?? null) : observedAt,
    status: statusOfReading(reading),
    previous_handles: [...(known?.entry.previous_handles ?? [])],
    observed_at: observedAt,
  };
};

/** The account of a page, from the reading that found its list. */
export const listedAccountOf = (key: AccountKey, reading: LiveReading['reading']): ListedAccount => {
  const seen = reading.status === 'present' || reading.status === 'private' ? reading.profile : null;
  return {
    platform: key.platform,
    id: seen?.id ?? null,
    handle: seen?.handle ?? key.value,
    status: statusOfReading(reading),
    followers: seen?.followers ?? null,
    capped: null,
  };
};

const referenceSchema = z
  .object({ post: z.string().nullable(), account: z.string().nullable() })
  .nullable()
  .describe('ID of a post, and handle or ID of its author, as far as the platform shows them.');

/** A post with its author, read just now. */
export const livePostSchema = z
  .object({
    id: z.string(),
    url: z.string().nullable(),
    at: instant.nullable(),
    kind: z.enum(['original', 'reply', 'repost', 'quote']),
    text: z.string().nullable(),
    lang: z.string().nullable(),
    media: z.enum(['none', 'photo', 'video', 'link', 'other']).nullable(),
    hashtags: z.array(z.string()).nullable(),
    mentions: z.array(z.string()).nullable(),
    reply_to: referenceSchema,
    target: referenceSchema,
    likes: count,
    replies: count,
    reposts: count,
    quotes: count,
    views: count,
    author: z.object({ id: z.string().nullable(), handle: z.string() }),
    observed_at: instant,
  })
  .meta({ id: 'LivePost' });

export type LivePost = z.input<typeof livePostSchema>;

export const livePostOf = (post: Post, author: LivePost['author'], observedAtMs: number): LivePost => {
  const { links: _, ...shown } = post;
  return {
    ...shown,
    hashtags: shown.hashtags === null ? null : [...shown.hashtags],
    mentions: shown.mentions === null ? null : [...shown.mentions],
    author,
    observed_at: isoOf(observedAtMs),
  };
};

export const EXAMPLE_POST: LivePost = {
  id: '1990000000000000000',
  url: 'https://x.com/nasa/status/1990000000000000000',
  at: '2026-11-20T19:00:00.000Z',
  kind: 'original',
  text: 'Liftoff.',
  lang: 'en',
  media: 'video',
  hashtags: ['artemis'],
  mentions: [],
  reply_to: null,
  target: null,
  likes: 41_000,
  replies: 800,
  reposts: 5_200,
  quotes: 310,
  views: 2_100_000,
  author: { id: '11348282', handle: 'nasa' },
  observed_at: '2026-11-21T08:30:00.000Z',
};
