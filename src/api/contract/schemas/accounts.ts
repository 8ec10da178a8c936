import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { ACCOUNT_STATUSES } from '../../../write/accounts/account.ts';
import { demandedShape } from '../demand.ts';
import { text } from '../parse-request.ts';
import { FIELD_NOTE } from '../visibility.ts';
import { measuredAt } from './measured-at.ts';

/** How an account is written wherever a request names one. */
export const ACCOUNT_TEXT = 'A handle as `@<handle>`, a native ID as `id:<id>`, or either without its prefix';

export const accountParams = z.strictObject({
  platform: platformSchema,
  handle: text(1, 1_024).describe(`${ACCOUNT_TEXT}. On LinkedIn, \`company:<slug>\` is a company.`),
});

const instant = z.iso.datetime();

export const checkSchema = z
  .object({
    platform: platformSchema,
    handle: z.string().nullable().describe('Normalized; null if only the ID is known.'),
    exists: z.boolean().nullable().describe('null: unknown; false: proven not to exist.'),
    status: z
      .enum([...ACCOUNT_STATUSES, 'renamed'])
      .describe('renamed: the account has left the handle, and no other account is known to have it.'),
    renamed_to: z
      .string()
      .optional()
      .describe('For a renamed account: its current handle, or `id:<id>` if that is unknown.'),
    ...demandedShape,
    display_name: z.string().nullable().describe(FIELD_NOTE),
    followers: z.int().nonnegative().nullable().describe(FIELD_NOTE),
    verified: z.boolean().nullable().describe(FIELD_NOTE),
    created_at: instant.nullable().describe(FIELD_NOTE),
    in_catalog: z.boolean(),
    first_seen_at: instant.nullable(),
    last_seen_at: instant.nullable().describe('When it was last found to exist.'),
    stale_s: z
      .int()
      .nonnegative()
      .nullable()
      .describe('Age in seconds of the oldest value here that can change; null if there is no reading.'),
    measured_at: measuredAt,
    profile_url: z.url().nullable(),
  })
  .meta({ id: 'AccountCheck' });

export type AccountCheck = z.output<typeof checkSchema>;

export const EXAMPLE_CHECK: AccountCheck = {
  platform: 'x',
  handle: 'nasa',
  exists: true,
  status: 'active',
  display_name: 'NASA',
  followers: 96_000_000,
  verified: true,
  created_at: '2007-12-19T20:20:32.000Z',
  in_catalog: true,
  first_seen_at: '2026-10-02T11:00:00.000Z',
  last_seen_at: '2026-11-21T08:16:00.000Z',
  stale_s: 840,
  profile_url: 'https://x.com/nasa',
};

/** The text that names an account. */
export const accountText = text(1, 1_024).describe(
  `${ACCOUNT_TEXT}: if both forms name an account, the guide says which one is meant.`,
);
