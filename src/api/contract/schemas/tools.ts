import { z } from 'zod';
import type { Platform } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { ACCOUNT_STATUSES } from '../../../write/accounts/account.ts';
import { accountText } from './accounts.ts';

/** A platform that a tool serves: any other is refused with those that are. */
export const toolPlatform = <Served extends Platform = Platform>(
  platforms: readonly Served[] = DIRECTORY_PLATFORMS as readonly Platform[] as readonly Served[],
) => z.enum(platforms as [Served, ...Served[]], { error: `must be one of ${platforms.join(', ')}` });

export const handleField = accountText;

/** Share of intervals that contain the true value. */
export const levelField = z
  .number()
  .min(0)
  .max(1)
  .describe('Confidence level of the intervals: the share of them that contain the true value.');

/** How old a reading may be that serves in place of the platform, in seconds. */
export const USUAL_MAX_AGE_S = 86_400;

export const maxAgeField = z
  .int()
  .min(0)
  .max(31_536_000)
  .optional()
  .describe(
    'Maximum age of the account’s reading, in seconds. If the reading is older, tools that read platforms read again, and tools that read the catalog answer 422 `insufficient_data`. By default, readings of any age are accepted.',
  );

/** Body fields of every tool about an account. */
export const accountFields = <Served extends Platform = Platform>(platforms?: readonly Served[]) => ({
  platform: toolPlatform(platforms),
  handle: handleField,
  max_age_s: maxAgeField,
});

/** Days of posts that a tool takes, in a body. */
export const bodyWindowDays = (usual: number) =>
  z
    .int()
    .min(7)
    .max(365)
    .optional()
    .describe(`Length of the window before the account's last sighting, in days; default ${usual}.`);

export const accountStatus = z
  .enum(ACCOUNT_STATUSES)
  .describe('Status of the account as of its last reading.');

/** Whether an account is judged by what it did itself. */
export const canBeCausedByOthers = z
  .boolean()
  .describe(
    'Whether somebody else can cause this, without the account’s doing. Such evidence decides no verdict.',
  );

const inputsSchema = z
  .array(
    z.object({
      input: z.string(),
      observed_at: z.iso
        .datetime()
        .nullable()
        .describe('Time of the oldest reading used; for a population, the time of its computation.'),
      age_s: z.int().nonnegative().nullable(),
    }),
  )
  .describe('Inputs of the result.')
  .meta({ id: 'ToolInputs' });

/** Fields of every tool's result. */
export const resultShape = {
  inputs: inputsSchema,
  not_known: z.array(z.string()).describe('Limits of what the tool can know.'),
};

export const EXAMPLE_INPUTS = [
  { input: 'account', observed_at: '2026-11-21T08:16:00.000Z', age_s: 840 },
  { input: 'posts', observed_at: '2026-11-21T08:16:00.000Z', age_s: 840 },
];
