import { z } from 'zod';
import {
  checkedParts,
  codeOf,
  dayOf,
  findCode,
  type OwnershipClaim,
  PARTS,
  type Part,
  validCodes,
  validUntilMs,
} from '../../../crawlers/live-read/ownership.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../kernel/platform.ts';
import { descriptorOf, handleIn } from '../../../platforms/index.ts';
import type { AccountStatus } from '../../../write/accounts/account.ts';
import { liveKey, parseAccountRef } from '../../contract/account-ref.ts';
import { type Endpoint, endpoint } from '../../contract/endpoint.ts';
import { addressOf, statusOfReading } from '../../contract/live-call.ts';
import { verificationQuery, verificationSchema } from '../../contract/schemas/scrape.ts';

/** The endpoint that verifies the ownership of a platform's accounts. */
export const verifyEndpoint = (platform: Platform, operation: string, example: string): Endpoint =>
  endpoint({
    operation,
    group: 'scrape',
    method: 'GET',
    path: `/scrape/${platform}/verify`,
    scope: 'verify:live',
    meter: 'live',
    upstreamReads: 18,
    list: false,
    summary: `Verify the ownership of an account of ${descriptorOf(platform).name}`,
    description:
      'The first call returns a code. Once the owner shows it on the account, a later call finds it. Each call reads the platform and is a live call. A code belongs to the holder of the key, the `reference`, the handle and the day, and is valid for seven days. A code that is found proves that someone who has it could write to one of the `parts` of the account. Without a `reference`, all your users who ask for an account get the same code. If an account repeats what strangers write, a code in its posts proves only that one of them wrote it. Store `id`: it stays the same when the account is renamed and another account takes its handle. Only the account’s own original posts count.',
    params: z.strictObject({}),
    query: verificationQuery(),
    data: verificationSchema,
    errors: [],
    example: {
      query: { handle: example },
      data: {
        platform,
        handle: example,
        id: EXAMPLE_ID,
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
      const ref = parseAccountRef(services, platform, query.handle, 'query.handle');
      const key = await liveKey(services, ref);
      const secrets = services.verificationSecrets().map(({ secret }) => secret);
      const [newest] = secrets;
      if (newest === undefined)
        throw new ServiceError('service_unavailable', 'No verification secret yet.', { retryAfterS: 1 });
      const claim: OwnershipClaim = {
        holder: caller.holder,
        platform,
        account: key.by === 'id' ? `id:${key.value}` : key.value,
        reference: query.reference,
      };
      const parts = partsOf(query.parts);
      const day = dayOf(nowMs);
      const code = codeOf(newest, claim, day);
      const expiresAt = isoOf(validUntilMs(day));
      const live = await services.live.read(platform, addressOf(key), request.liveCall, {
        posts: parts.includes('post'),
      });
      const { reading, observedAtMs } = live;
      const found = findCode(reading, validCodes(secrets, claim, nowMs), parts);
      const checked = checkedParts(reading, parts);
      const status: AccountStatus = statusOfReading(reading);
      const seen = reading.status === 'present' || reading.status === 'private' ? reading.profile : null;
      const name = seen?.handle ?? (key.by === 'handle' ? key.value : null);
      return {
        data: {
          platform,
          handle: name === null ? null : handleIn(platform, name),
          id: seen?.id ?? (key.by === 'id' ? key.value : null),
          status,
          verified: verdictOf(found, status, checked, parts),
          code,
          instructions:
            status === 'absent' || status === 'suspended' || status === 'deactivated'
              ? goneOf(status)
              : instructionsOf(code, expiresAt, parts),
          matched_in: found,
          checked,
          checked_at: isoOf(observedAtMs),
          expires_at: expiresAt,
        },
        source: 'live',
        readAtMs: observedAtMs,
      };
    },
  });

const EXAMPLE_ID = '11348282';
const EXAMPLE_CODE = 'sl-7k2m-q9xw-4f8c';

const PART_NAMES: Readonly<Record<Part, string>> = {
  bio: 'in the bio',
  name: 'in the display name',
  post: 'in a post of its own (no reply, repost, quote or forward)',
};

const instructionsOf = (code: string, expiresAt: string, parts: readonly Part[] = PARTS): string =>
  `Show ${code} ${parts.map((part) => PART_NAMES[part]).join(', or ')} of the account. Then call again before ${expiresAt}.`;

const partsOf = (given: string | undefined): readonly Part[] =>
  given === undefined ? PARTS : PARTS.filter((part) => given.split(',').includes(part));

/**
 * Whether a code was found; null if a part that counts could not be read, where it may be. An account that does not
 * exist has no owner.
 */
const verdictOf = (
  found: Part | null,
  status: AccountStatus,
  checked: readonly Part[],
  parts: readonly Part[],
): boolean | null => {
  if (found !== null) return true;
  return status === 'absent' || checked.length === parts.length ? false : null;
};

/** Nothing can be shown on an account that the platform does not show. */
const goneOf = (status: AccountStatus): string =>
  `The platform says that the account is ${status}: check the handle, or call again once it is active.`;
