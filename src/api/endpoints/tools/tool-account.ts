import { type Sample, sampleOf } from '../../../analysis/sample.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../kernel/platform.ts';
import type { KnownAccount } from '../../../read/accounts.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import { accountsOf, entriesOf, parseAccountRef, requireAccount } from '../../contract/account-ref.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';

type Request = EndpointRequest<unknown, unknown, unknown>;

/** An account as a body names it. */
export interface ToolAccount {
  readonly platform: Platform;
  readonly handle: string;
  /** How old its reading may be, in seconds; any age by default. */
  readonly max_age_s?: number | undefined;
}

/** @throws {ServiceError} `insufficient_data` for a reading that is older than the body allows. */
export const checkAge = (
  { nowMs }: Pick<Request, 'nowMs'>,
  { max_age_s: maxAgeS }: Pick<ToolAccount, 'max_age_s'>,
  readMs: number | null,
): void => {
  if (maxAgeS === undefined || readMs === null || nowMs - readMs <= maxAgeS * 1_000) return;
  throw new ServiceError(
    'insufficient_data',
    'The catalog’s reading of the account is older than asked for.',
    {
      details: [
        {
          path: 'body.max_age_s',
          message: `was read ${Math.floor((nowMs - readMs) / 1_000)} s ago, needs ${maxAgeS}; GET /accounts/{platform}/{handle}/live reads it again`,
        },
      ],
    },
  );
};

/** When an account was read, with its followers, which most results rest on: no reading shows each of its other values. */
export const readMsOf = ({ entry, last_seen_at }: FoundEntry): number =>
  Date.parse(entry.measured_at?.followers ?? last_seen_at);

/**
 * An account of the directory.
 * @param path of the handle in the body, for errors.
 * @throws {ServiceError} `invalid_request` for what is no handle of the platform, `not_found` if the catalog has no such account,
 * `insufficient_data` if its reading is too old.
 */
export const findAccount = async (
  request: Request,
  account: ToolAccount,
  path = 'body.handle',
): Promise<FoundEntry> => {
  const ref = parseAccountRef(request.services, account.platform, account.handle, path);
  const found = await requireAccount(request, ref, entriesOf(request.services));
  checkAge(request, account, readMsOf(found));
  return found;
};

/** An account that was read, of any platform: LinkedIn has none in the directory. @throws as `findAccount`. */
export const findKnownAccount = (
  request: Request,
  { platform, handle }: ToolAccount,
): Promise<KnownAccount> =>
  requireAccount(
    request,
    parseAccountRef(request.services, platform, handle, 'body.handle'),
    accountsOf(request.services),
  );

/** The posts of an account in a window that ends at its last sighting. */
export const readSample = async (
  { services }: Request,
  found: FoundEntry,
  windowDays: number,
): Promise<Sample> => {
  const { posts, span } = await services.digests.of(found.entry);
  const { platform } = found.entry;
  return sampleOf(posts, { platform, anchorMs: Date.parse(found.last_seen_at), windowDays, span });
};

/** An input of a result, as of its oldest reading. */
export const inputOf = (input: string, observedMs: number | null, nowMs: number) => ({
  input,
  observed_at: observedMs === null ? null : isoOf(observedMs),
  age_s: observedMs === null ? null : Math.max(0, Math.floor((nowMs - observedMs) / 1_000)),
});

export const oldestPostMs = ({ ripe }: Sample): number | null =>
  ripe.length === 0 ? null : Math.min(...ripe.map(({ observedMs }) => observedMs));

/** The oldest of the inputs that were read. */
export const oldestInputMs = (inputs: readonly { readonly observed_at: string | null }[]): number | null => {
  const times = inputs.flatMap(({ observed_at }) => (observed_at === null ? [] : [Date.parse(observed_at)]));
  return times.length === 0 ? null : Math.min(...times);
};
