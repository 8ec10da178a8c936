import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { text } from '../parse-request.ts';
import { accountText } from './accounts.ts';
import { EXAMPLE_ENTRY, entrySchema } from './directory.ts';

const instant = z.iso.datetime();

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

const count = z.int().nonnegative().nullable();

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
      .describe('Whether its author pinned it; a pinned post is listed first. Null if not shown.'),
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

export const verificationQuery = () =>
  z.strictObject({
    handle: accountText,
    reference: text(1, 64)
      .optional()
      .describe('Your own ID of the user who asks, so that each user gets a different code.'),
    parts: z
      .string()
      .regex(
        /^(?:bio|name|post)(?:,(?:bio|name|post)){0,2}$/,
        'must name bio, name or post, with commas between',
      )
      .optional()
      .describe(
        'Parts of the account in which to look for the code, such as `bio` or `bio,name`. Default: all three.',
      ),
  });

export const verificationSchema = z
  .object({
    platform: platformSchema,
    handle: z.string().nullable().describe('Normalized; null if only the ID is known.'),
    id: z.string().nullable().describe('The native ID; null if the platform does not show it.'),
    status: z.enum(['active', 'private', 'suspended', 'deactivated', 'absent', 'unknown']),
    verified: z
      .boolean()
      .nullable()
      .describe(
        'Whether a code of the last seven days was found; null if none was found and a part could not be read (`checked` lacks that part).',
      ),
    code: z
      .string()
      .describe('Code for the owner to show. It differs by day, account, caller and reference.'),
    instructions: z.string(),
    matched_in: z.enum(['bio', 'name', 'post']).nullable(),
    checked: z
      .array(z.enum(['bio', 'name', 'post']))
      .describe('The parts that were read. A code in any other part would not have been found.'),
    checked_at: instant,
    expires_at: instant.describe('When `code` expires.'),
  })
  .meta({ id: 'OwnershipVerification' });
