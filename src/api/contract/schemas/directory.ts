import { z } from 'zod';
import { DIRECTORY_PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { flag, text, time, wholeNumber } from '../parse-request.ts';
import { accountText } from './account-text.ts';
import { measuredAt } from './measured-at.ts';

/** A platform of the directory. */
export const directoryPlatform = platformSchema.extract(DIRECTORY_PLATFORMS, {
  error: `must be one of ${DIRECTORY_PLATFORMS.join(', ')}`,
});

export const entryParams = z.strictObject({
  platform: directoryPlatform,
  id: accountText,
});

const instant = z.iso.datetime();
const count = z.int().nonnegative().nullable();

const statusSchema = z.enum(['active', 'private', 'suspended', 'deactivated', 'absent']);

export const entrySchema = z
  .object({
    platform: platformSchema,
    id: z.string().nullable(),
    handle: z.string().nullable(),
    display_name: z.string().nullable(),
    followers: count,
    following: count,
    posts: count,
    verified: z.boolean().nullable(),
    created_at: instant.nullable(),
    first_seen_at: instant,
    last_seen_at: instant,
    bio: z.string().nullable(),
    avatar_url: z.string().nullable(),
    location: z.string().nullable(),
    links: z.array(z.string()),
    status: z.enum([...statusSchema.options, 'unknown']),
    previous_handles: z.array(z.string()),
    measured_at: measuredAt,
  })
  .meta({ id: 'DirectoryEntry' });

export const EXAMPLE_ENTRY: z.output<typeof entrySchema> = {
  platform: 'x',
  id: '11348282',
  handle: 'nasa',
  display_name: 'NASA',
  followers: 96_000_000,
  following: 118,
  posts: 75_000,
  verified: true,
  created_at: '2007-12-19T20:20:32.000Z',
  first_seen_at: '2026-10-02T11:00:00.000Z',
  last_seen_at: '2026-11-21T08:16:00.000Z',
  bio: 'Making the seemingly impossible, possible.',
  avatar_url: null,
  location: 'Pale Blue Dot',
  links: ['https://www.nasa.gov'],
  status: 'active',
  previous_handles: [],
};

/** Filters of entry lists. */
export const entryFilters = {
  q: text(1, 100)
    .optional()
    .describe(
      'Prefixes of the handle or of words of the name, all of which match; or a former handle that no other account has now.',
    ),
  min_followers: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  max_followers: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  verified: flag().optional(),
  status: statusSchema.optional(),
  seen_since: time().optional().describe('Found to exist at this time or later.'),
  created_since: time().optional(),
  sort: z
    .enum(['followers', 'recent', 'handle', 'growth_30d'])
    .optional()
    .describe(
      'Default `followers`. Unknown values sort last. `growth_30d` is the growth until the account was seen last, however long ago.',
    ),
};
