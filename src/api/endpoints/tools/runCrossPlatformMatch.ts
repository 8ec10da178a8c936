import { z } from 'zod';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { descriptorOf } from '../../../platforms/index.ts';
import { askedAccount, parseAccountRef, personSource, requireAccount } from '../../contract/account-ref.ts';
import { personEvidenceSchema } from '../../contract/schemas/people.ts';
import { accountFields, EXAMPLE_INPUTS } from '../../contract/schemas/tools.ts';
import { checkAge, inputOf, tool } from './define-tool.ts';

const NOT_KNOWN = ['accounts that are not in the catalog, and those that do not answer a link'];

export default tool({
  operation: 'runCrossPlatformMatch',
  name: 'cross-platform-match',
  title: 'Accounts of the same person on other platforms',
  description:
    'Accounts of all platforms that evidence of both sides joins with the account, most certain first, each with its confidence and the evidence whose weights add up to its log odds. Neither names nor links that nobody answers make a match.',
  method: 'Log odds of links, names and pages, calibrated on simulated people, as in docs/methods/people.md.',
  platforms: PLATFORMS,
  upstreamReads: 0,
  version: '3',
  body: z.strictObject(accountFields(PLATFORMS)),
  data: {
    platform: platformSchema,
    handle: z.string().nullable(),
    person_id: z.string(),
    candidates: z.array(
      z.object({
        platform: platformSchema,
        handle: z.string().nullable(),
        profile_url: z.string().nullable(),
        confidence: z.number().nullable().describe('Probability that it belongs to the same person.'),
        evidence: z.array(personEvidenceSchema),
      }),
    ),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      person_id: '0d8b9a2e-4c1f-5e0a-9a55-7d1c2f3b4a5e',
      candidates: [
        {
          platform: 'instagram',
          handle: 'nasa',
          profile_url: 'https://www.instagram.com/nasa/',
          confidence: 0.998,
          evidence: [],
        },
      ],
      inputs: EXAMPLE_INPUTS.slice(0, 1),
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ platform, handle, max_age_s }, request) => {
    const { services, nowMs } = request;
    const ref = parseAccountRef(services, platform, handle, 'body.handle');
    const found = await requireAccount(request, ref, personSource(services));
    const { person, asked } = found;
    const own = askedAccount(found);
    const candidates = person.accounts
      .filter((account) => account.key !== asked)
      .toSorted((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0))
      // Of LinkedIn that an account exists and its address: nothing else is shown of any.
      .map((account) => ({
        platform: account.platform,
        handle: account.handle,
        profile_url:
          account.handle === null ? null : descriptorOf(account.platform).profileUrl(account.handle),
        confidence: account.confidence,
        evidence: [...account.evidence],
      }));
    const oldestMs = Math.min(...person.accounts.map(({ last_seen_at }) => Date.parse(last_seen_at)));
    checkAge(request, { max_age_s }, own === undefined ? null : Date.parse(own.last_seen_at));
    return {
      result: {
        platform,
        handle: own?.handle ?? null,
        person_id: person.person_id,
        candidates,
        inputs: [inputOf('accounts', oldestMs, nowMs)],
        not_known: NOT_KNOWN,
      },
      coverage: { sampled: person.accounts.length, total: null, capped: false },
    };
  },
});
