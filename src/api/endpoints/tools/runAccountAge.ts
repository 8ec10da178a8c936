import { z } from 'zod';
import { accountAgeOf } from '../../../analysis/account-scores.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { accountFields, EXAMPLE_INPUTS } from '../../contract/schemas/tools.ts';
import { findAccount, inputOf, tool } from './define-tool.ts';

export default tool({
  operation: 'runAccountAge',
  name: 'account-age',
  title: 'How old an account is',
  description:
    'The creation time stated by the profile, else the one encoded in the native ID (X, TikTok), else a bound: the account is at least as old as its first sighting.',
  method: 'Stated time, or the leading bits of the ID; docs/methods/tools.md has the formats.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  body: z.strictObject(accountFields()),
  data: {
    platform: platformSchema,
    handle: z.string().nullable(),
    created_at: z.iso.datetime().nullable().describe('Null if only a bound is known.'),
    age_days: z.int().nonnegative(),
    at_least: z.boolean().describe('Whether the account may be older.'),
    basis: z.enum(['profile', 'id', 'first_seen']),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      created_at: '2007-12-19T20:20:32.000Z',
      age_days: 6_912,
      at_least: false,
      basis: 'profile',
      inputs: EXAMPLE_INPUTS.slice(0, 1),
      not_known: [],
    },
  },
  run: async (body, request) => {
    const found = await findAccount(request, body);
    const { platform, handle } = found.entry;
    const { createdMs, ageDays, isLeast, basis } = accountAgeOf(found.entry, request.nowMs);
    return {
      result: {
        platform,
        handle,
        created_at: createdMs === null ? null : isoOf(createdMs),
        age_days: ageDays,
        at_least: isLeast,
        basis,
        inputs: [inputOf('account', Date.parse(found.oldest_at), request.nowMs)],
        not_known: isLeast ? ['when it was created: the platform does not show it'] : [],
      },
    };
  },
});
