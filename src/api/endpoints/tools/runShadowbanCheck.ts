import { z } from 'zod';
import { CAUSED_BY_OTHERS } from '../../../analysis/evidence.ts';
import { shadowbanVerdicts } from '../../../analysis/shadowban.ts';
import { wasLimited } from '../../../crawlers/live-read/live-queue.ts';
import { checkVisibility } from '../../../crawlers/live-read/visibility-checks.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { SEARCHABLE_PLATFORMS } from '../../../platforms/index.ts';
import { ACCOUNT_STATUSES, isHidden } from '../../../write/accounts/account.ts';
import { liveKey, parseAccountRef } from '../../contract/account-ref.ts';
import { hiddenAccount, NoSuchAccountError } from '../../contract/answer-errors.ts';
import { addressOf, statusOfReading } from '../../contract/live-call.ts';
import { accountFields, canBeCausedByOthers } from '../../contract/schemas/tools.ts';
import { inputOf, tool } from './define-tool.ts';

const NOT_KNOWN = [
  'limits that show to some readers only, as to those of one country or with a filter of their own',
  'why an account is limited, or since when',
];
const verdict = z.enum(['clear', 'limited', 'unknown']);

const evidenceSchema = z
  .object({
    surface: z.enum(['search', 'suggestions', 'thread']),
    of: z.enum(['account', 'control']).describe('control: another account that must be shown there.'),
    shown: z
      .enum(['shown', 'hidden', 'absent', 'unknown'])
      .describe(
        'hidden: shown only when a reader asks for more replies. unknown: the surface could not be read.',
      ),
    can_be_caused_by_others: canBeCausedByOthers.describe(
      'Whether somebody else can cause this, as the author of a thread who hides a reply. The verdict on replies takes threads of several authors.',
    ),
    post: z.string().nullable().describe('ID of the reply that was looked for in its thread.'),
    observed_at: z.iso.datetime(),
    reason: z.string().nullable().describe('Reason if the result is unknown.'),
  })
  .meta({ id: 'VisibilityEvidence' });

export default tool({
  operation: 'runShadowbanCheck',
  name: 'shadowban-check',
  title: 'Whether a platform hides an account without saying so',
  description:
    'Looks for an account in the places where X shows accounts to strangers: in search, in the suggestions of the search box, and, for its replies, in their threads. Each part is `clear` if the account was seen there, `limited` if it was missing repeatedly while a control account was shown within the same minute, else `unknown`. The search box is controlled by three accounts that are no larger, each of which it has to suggest. Requires a session of the operator.',
  method: 'Search, suggestion, ghost and reply tests with controls, as in docs/methods/tools.md.',
  platforms: SEARCHABLE_PLATFORMS,
  upstreamReads: 48,
  version: '3',
  body: z.strictObject(accountFields(SEARCHABLE_PLATFORMS)),
  data: {
    platform: z.literal('x'),
    handle: z.string(),
    status: z.enum(ACCOUNT_STATUSES).describe('Status of the account. Only an active account is looked for.'),
    search: verdict,
    suggestion: verdict,
    ghost: verdict,
    reply_deboost: verdict,
    evidence: z.array(evidenceSchema),
  },
  example: {
    body: { platform: 'x', handle: 'nasa' },
    data: {
      platform: 'x',
      handle: 'nasa',
      status: 'active',
      search: 'clear',
      suggestion: 'clear',
      ghost: 'unknown',
      reply_deboost: 'unknown',
      evidence: [
        {
          surface: 'search',
          of: 'account',
          shown: 'shown',
          can_be_caused_by_others: false,
          post: null,
          observed_at: '2026-11-21T08:29:59.000Z',
          reason: null,
        },
      ],
      inputs: [{ input: 'account', observed_at: '2026-11-21T08:29:58.000Z', age_s: 2 }],
      not_known: NOT_KNOWN,
    },
  },
  run: async ({ handle }, request, call) => {
    const { services } = request;
    const key = await liveKey(services, parseAccountRef(services, 'x', handle, 'body.handle'));
    const { account, looks, postsUnread } = await checkVisibility(services.live, 'x', addressOf(key), call);
    const { reading, observedAtMs } = account;
    const status = statusOfReading(reading);
    if (status === 'absent') throw new NoSuchAccountError(key);
    if (isHidden(status)) throw hiddenAccount(status);
    const verdicts = shadowbanVerdicts(looks);
    return {
      result: {
        platform: 'x' as const,
        handle: reading.status === 'present' ? reading.profile.handle : key.value,
        status,
        ...verdicts,
        evidence: looks.map(({ surface, of, shown, post, atMs, reason }) => ({
          surface,
          of,
          shown: shown ?? ('unknown' as const),
          can_be_caused_by_others: CAUSED_BY_OTHERS['shadowban-check'][surface],
          post,
          observed_at: isoOf(atMs),
          reason,
        })),
        inputs: [
          inputOf('account', observedAtMs, request.nowMs),
          ...(['search', 'suggestions', 'thread'] as const).map((surface) => {
            const times = looks.filter((look) => look.surface === surface).map(({ atMs }) => atMs);
            return inputOf(surface, times.length === 0 ? null : Math.min(...times), request.nowMs);
          }),
        ],
        not_known: NOT_KNOWN,
      },
      source: 'live' as const,
      coverage: {
        sampled: looks.filter(({ shown }) => shown !== null).length,
        total: looks.length,
        capped: wasLimited(call),
      },
      warnings: postsUnread ? ['posts_unread'] : [],
    };
  },
});
