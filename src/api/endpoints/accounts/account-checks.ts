import type { z } from 'zod';
import type { LiveReading } from '../../../crawlers/live-read/port.ts';
import type { PlatformAdapter } from '../../../crawlers/platforms/adapter.ts';
import { isoOf, systemClock } from '../../../kernel/clock.ts';
import { handleIn } from '../../../platforms/index.ts';
import type { AccountKey, KnownAccount } from '../../../read/accounts.ts';
import { ageS } from '../../../read/age.ts';
import { isGone, isHidden, STATUSES } from '../../../write/accounts/account.ts';
import { measuredAt, olderValues, oldestShownAt } from '../../../write/accounts/profile.ts';
import {
  type AccountRef,
  accountSource,
  countAsked,
  nameNow,
  parseAccountRef,
  type Resolved,
  resolveAccount,
} from '../../contract/account-ref.ts';
import type { Answer, EndpointRequest } from '../../contract/endpoint.ts';
import { isRecorded } from '../../contract/live-call.ts';
import type { AccountCheck, accountParams } from '../../contract/schemas/accounts.ts';
import type { Services } from '../../services.ts';

/** When the oldest value of a check was read; null if the account was never read. */
export const readAtMs = (known: KnownAccount | null): number | null =>
  known === null ? null : Date.parse(oldestShownAt(known, shownOf(known)));

/** An account check from the directory's knowledge of an account. */
export const checkOf = (
  adapter: Pick<PlatformAdapter, 'platform' | 'profileUrl'>,
  key: AccountKey,
  known: KnownAccount | null,
  // The age is of when the answer is made: a look-up may have waited.
  nowMs = systemClock.now(),
): AccountCheck => {
  const name = known?.name ?? (key.by === 'handle' ? key.value : null);
  const status = known?.status ?? 'unknown';
  const readMs = readAtMs(known);
  return {
    platform: adapter.platform,
    handle: name === null ? null : handleIn(adapter.platform, name),
    exists: existsOf(status),
    status,
    display_name: known?.display_name ?? null,
    followers: known?.followers ?? null,
    verified: known?.verified ?? null,
    created_at: known?.created_at ?? null,
    in_catalog: known != null && known.first_seen_at !== null,
    first_seen_at: known?.first_seen_at ?? null,
    last_seen_at: known?.last_seen_at ?? null,
    stale_s: readMs === null ? null : ageS(readMs, nowMs),
    ...measuredAt(known === null ? null : olderValues(known, shownOf(known))),
    profile_url: name === null ? null : adapter.profileUrl(name),
  };
};

/** What the catalog knows of the requested account; null if nothing, or if the text is a former handle. */
export const knownOf = async (
  services: Pick<Services, 'accounts'>,
  asked: Resolved<KnownAccount>,
): Promise<KnownAccount | null> => {
  if (asked.is === 'known') return asked.found;
  return asked.is === 'unknown' ? services.accounts.verdict(asked.key) : null;
};

/** Looks an account up in the catalog; one that is unknown or has another handle is counted as demand. */
export const checkInCatalog = async (
  request: CatalogRequest,
  ref: AccountRef,
): Promise<{ readonly check: AccountCheck; readonly known: KnownAccount | null }> => {
  const { services } = request;
  const asked = await resolveAccount(services, ref, accountSource(services));
  const known = await knownOf(services, asked);
  const demanded = asked.is !== 'known' && known === null ? await countAsked(request, asked) : null;
  const check = checkOf(services.adapterOf(ref.platform), asked.key, known);
  if (asked.is !== 'renamed') return { check: { ...check, ...demanded }, known };
  return { check: { ...check, status: 'renamed', renamed_to: nameNow(asked.to), profile_url: null }, known };
};

export const catalogAnswer = (check: AccountCheck, known: KnownAccount | null): Answer<AccountCheck> => ({
  data: check,
  source: 'catalog',
  readAtMs: readAtMs(known),
});

/**
 * The account as the catalog's last reading left it. Of one that was found gone it is the verdict, without the values of
 * earlier readings.
 */
export const asLastRead = (known: KnownAccount): KnownAccount =>
  isGone(known.status)
    ? { ...known, display_name: null, followers: null, verified: null, kept: null }
    : known;

/**
 * An account check from a live reading. For an account that is gone it has the verdict and the fields that can't
 * change.
 */
export const liveCheckOf = (
  adapter: Pick<PlatformAdapter, 'platform' | 'profileUrl'>,
  key: AccountKey,
  known: KnownAccount | null,
  { reading, observedAtMs }: LiveReading,
): AccountCheck => {
  const at = isoOf(observedAtMs);
  const staleS = ageS(observedAtMs, systemClock.now());
  if (reading.status !== 'present' && reading.status !== 'private') {
    const { status } = reading;
    const verdict = known && asLastRead({ ...known, status, observed_at: at });
    const check = { ...checkOf(adapter, key, verdict), status, exists: existsOf(status), stale_s: staleS };
    // An account that its platform has and does not show was found by this reading, if not before.
    return check.in_catalog || !isHidden(status) || !isRecorded(key)
      ? check
      : { ...check, in_catalog: true, first_seen_at: at, last_seen_at: at };
  }
  const { profile } = reading;
  const status = reading.status === 'present' ? 'active' : 'private';
  return {
    platform: adapter.platform,
    handle: handleIn(adapter.platform, profile.handle),
    exists: true,
    status,
    display_name: profile.display_name,
    followers: profile.followers,
    verified: profile.verified,
    created_at: profile.created_at ?? known?.created_at ?? null,
    in_catalog: true,
    first_seen_at: known?.first_seen_at ?? at,
    last_seen_at: at,
    stale_s: staleS,
    profile_url: adapter.profileUrl(profile.handle),
  };
};

/** The account that a path names. */
export const accountRef = (services: Services, params: z.output<typeof accountParams>): AccountRef =>
  parseAccountRef(services, params.platform, params.handle, 'params.handle');

const existsOf = (status: AccountCheck['status']): boolean | null =>
  status === 'renamed' ? null : STATUSES[status].exists;

/** The fields of a check that can change. */
const shownOf = ({ display_name, followers, verified, status }: KnownAccount) => ({
  display_name,
  followers,
  verified,
  status,
});

type CatalogRequest = Pick<
  EndpointRequest<unknown, unknown, unknown>,
  'services' | 'caller' | 'afterAdmission'
>;
