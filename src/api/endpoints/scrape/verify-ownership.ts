import { z } from 'zod';
import {
  checkedParts,
  codeOf,
  dayOf,
  findCode,
  type OwnershipClaim,
  validCodes,
  validUntilMs,
} from '../../../crawlers/live-read/ownership.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import type { Platform } from '../../../kernel/platform.ts';
import type { AccountStatus } from '../../../write/accounts/events.ts';
import { handleIn } from '../../../write/accounts/handle.ts';
import { resolveAccountRef } from '../../contract/account-ref.ts';
import { type Endpoint, endpoint } from '../../contract/endpoint.ts';
import { singleCall } from '../../contract/live-call.ts';
import { text } from '../../contract/parse-request.ts';
import { verificationSchema } from '../../contract/schemas/verify.ts';
import { addressOf, statusOfReading } from './live-answers.ts';

/** LinkedIn's public pages show nothing that only the owner of an account could write. */
type VerifiedPlatform = Exclude<Platform, 'linkedin'>;

const NAMES: Readonly<Record<VerifiedPlatform, string>> = {
  x: 'X',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  telegram: 'Telegram',
  bluesky: 'Bluesky',
};

const EXAMPLE_CODE = 'sl-7k2m-q9xw-4f8c';

const instructionsOf = (code: string, expiresAt: string): string =>
  `Show ${code} in the bio or the display name of the account, or publish it in a post of its own (no reply, repost, quote or forward). Then call again before ${expiresAt}.`;

/** Nothing can be shown on an account that the platform does not show. */
const goneOf = (status: AccountStatus): string =>
  `The platform says that the account is ${status}: check the handle, or call again once it is active.`;

/** The endpoint that verifies the ownership of a platform's accounts. */
export const verifyEndpoint = (platform: VerifiedPlatform, operation: string, example: string): Endpoint =>
  endpoint({
    operation,
    group: 'scrape',
    method: 'GET',
    path: `/scrape/${platform}/verify`,
    scope: 'verify:live',
    meter: 'live',
    list: false,
    summary: `Verify the ownership of an account of ${NAMES[platform]}`,
    description:
      'The first call returns a code; once the owner shows it, a later call finds it. The platform is read for each call, and each is a live call. A code belongs to the holder of the key, the account and the day, and is valid for seven days. Of posts, only the account’s own originals count.',
    params: z.strictObject({}),
    query: z.strictObject({
      handle: text(1, 1_024).describe(`A handle of ${NAMES[platform]}, with or without \`@\`.`),
    }),
    data: verificationSchema,
    errors: [],
    example: {
      query: { handle: example },
      data: {
        platform,
        handle: example,
        status: 'active',
        verified: true,
        code: EXAMPLE_CODE,
        instructions: instructionsOf(EXAMPLE_CODE, '2026-11-28T00:00:00.000Z'),
        matched_in: 'bio',
        checked: ['bio', 'name', 'post'],
        checked_at: '2026-11-21T08:30:00.000Z',
        expires_at: '2026-11-28T00:00:00.000Z',
      },
    },
    handler: async (request) => {
      const { query, services, caller, nowMs } = request;
      const key = resolveAccountRef(services, platform, query.handle, 'query.handle');
      const secrets = services.verificationSecrets().map(({ secret }) => secret);
      const [newest] = secrets;
      if (newest === undefined)
        throw new ServiceError('service_unavailable', 'No verification secret yet.', { retryAfterS: 1 });
      const claim: OwnershipClaim = {
        holder: caller.holder,
        platform,
        account: key.by === 'id' ? `id:${key.value}` : key.value,
      };
      const day = dayOf(nowMs);
      const code = codeOf(newest, claim, day);
      const expiresAt = isoOf(validUntilMs(day));
      const live = await services.live.read(platform, addressOf(key), singleCall(request), { posts: true });
      const { reading, observedAtMs } = live;
      const found = findCode(reading, validCodes(secrets, claim, nowMs));
      const status: AccountStatus = statusOfReading(reading);
      const name =
        reading.status === 'present' || reading.status === 'private'
          ? reading.profile.handle
          : key.by === 'handle'
            ? key.value
            : null;
      return {
        data: {
          platform,
          handle: name === null ? null : handleIn(platform, name),
          status,
          verified: found !== null,
          code,
          instructions:
            status === 'absent' || status === 'suspended' || status === 'deactivated'
              ? goneOf(status)
              : instructionsOf(code, expiresAt),
          matched_in: found,
          checked: checkedParts(reading),
          checked_at: isoOf(observedAtMs),
          expires_at: expiresAt,
        },
        source: 'live',
        readAtMs: observedAtMs,
      };
    },
  });
