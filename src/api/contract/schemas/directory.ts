import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import {
  FIELD_NAMES,
  type FieldName,
  type Holding,
  type Profile,
  perField,
} from '../../../write/accounts/profile.ts';
import { flag, text, time, wholeNumber } from '../parse-request.ts';
import { accountText } from './accounts.ts';
import { measuredAt } from './measured-at.ts';

/** A platform of the directory. */
export const directoryPlatform = platformSchema.extract(DIRECTORY_PLATFORMS, {
  error: `must be one of ${DIRECTORY_PLATFORMS.join(', ')}`,
});

export const entryParams = z.strictObject({
  platform: directoryPlatform,
  id: accountText,
});

/** Members of an answer that are fields of a profile. */
export const factShape = <Name extends FieldName>(names: readonly Name[]) =>
  perField(names, ({ holds, description }) => FACTS[holds].describe(description)) as {
    [Each in Name]: z.ZodType<Profile[Each], Profile[Each]>;
  };

/** The values of examples. */
export const exampleFacts = <Name extends FieldName>(names: readonly Name[]) =>
  perField(names, ({ samples }) => samples[0]) as Pick<Profile, Name>;

const instant = z.iso.datetime();

const FACTS: Readonly<Record<Holding, z.ZodType>> = {
  text: z.string().nullable(),
  count: z.int().nonnegative().nullable(),
  flag: z.boolean().nullable(),
  instant: instant.nullable(),
  texts: z.array(z.string()),
};

const statusSchema = z.enum(['active', 'private', 'suspended', 'deactivated', 'absent']);

export const entrySchema = z
  .object({
    platform: platformSchema,
    id: z.string().nullable(),
    handle: z.string().nullable(),
    ...factShape(FIELD_NAMES),
    first_seen_at: instant,
    last_seen_at: instant,
    status: z.enum([...statusSchema.options, 'unknown']),
    previous_handles: z.array(z.string()),
    measured_at: measuredAt,
  })
  .meta({ id: 'DirectoryEntry' });

export const EXAMPLE_ENTRY: z.output<typeof entrySchema> = {
  platform: 'x',
  id: '11348282',
  handle: 'nasa',
  ...exampleFacts(FIELD_NAMES),
  first_seen_at: '2026-10-02T11:00:00.000Z',
  last_seen_at: '2026-11-21T08:16:00.000Z',
  status: 'active',
  previous_handles: [],
};

/** Filters of entry lists. */
export const entryFilters = {
  q: text(1, 100)
    .optional()
    .describe(
      'Words that must each begin the handle or a word of the name; or a former handle that no other account uses now.',
    ),
  min_followers: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  max_followers: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  verified: flag().optional(),
  status: statusSchema.optional(),
  seen_since: time().optional().describe('Last found to exist at this time or later.'),
  created_since: time().optional(),
  sort: z
    .enum(['followers', 'recent', 'handle', 'growth_30d'])
    .optional()
    .describe(
      'Default `followers`. Unknown values sort last. `growth_30d` is the growth up to the last sighting of the account, however long ago that was.',
    ),
};
