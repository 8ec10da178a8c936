import { z } from 'zod';
import { EXAMPLE_ENTRY, entrySchema } from './directory.ts';

const instant = z.iso.datetime();
const count = z.int().nonnegative().nullable();

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
    pinned: z
      .boolean()
      .nullable()
      .describe('Whether its author pinned it, so that it is listed first; null if that was not shown.'),
    author: z.object({ id: z.string().nullable(), handle: z.string() }),
    observed_at: instant,
  })
  .meta({ id: 'LivePost' });

export type LivePost = z.input<typeof livePostSchema>;

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
  pinned: false,
  author: { id: '11348282', handle: 'nasa' },
  observed_at: '2026-11-21T08:30:00.000Z',
};
