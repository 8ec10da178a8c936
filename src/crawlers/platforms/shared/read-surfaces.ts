import { isEmpty, mergedProfile, type Profile } from '../../../write/accounts/profile.ts';
import { FetchError, type Http, type HttpRequest } from '../../http/port.ts';
import type { Address, Reading, Surface, UnknownReason } from '../adapter.ts';

/** A surface and its request. */
export interface Step {
  readonly surface: Surface;
  readonly request: HttpRequest;
}

export const REASON_OF: Readonly<Record<FetchError['reason'], UnknownReason>> = {
  timeout: 'timeout',
  http_error: 'http_error',
  rate_limited: 'rate_limited',
  paused: 'rate_limited',
  distrusted: 'layout_changed',
  too_large: 'too_large',
  host_refused: 'http_error',
  // Not a platform failure: the request was never recorded.
  not_recorded: 'not_configured',
  no_session: 'not_configured',
  session_unusable: 'session_unusable',
  session_limited: 'session_limited',
  proxy_failed: 'no_proxy',
  no_request_left: 'no_request_left',
  aborted: 'http_error',
};

export const unknownReading = (
  surface: string,
  reason: UnknownReason,
  detail: string,
  retryAfterMs: number | null = null,
): Reading => ({
  status: 'unknown',
  reason,
  detail,
  surface,
  warnings: [],
  ...(retryAfterMs === null ? {} : { retryAfterMs }),
});

/** Steps of the surfaces that can serve an address. */
export const stepsOf = (surfaces: readonly Surface[], address: Address): readonly Step[] =>
  surfaces.flatMap((surface) => {
    const request = surface.request(address);
    return request === null ? [] : [{ surface, request }];
  });

/** The same request bypassing caches, since a mixed-up response may have been cached. */
export const uncached = (request: HttpRequest): HttpRequest => ({
  ...request,
  headers: { ...request.headers, 'cache-control': 'no-cache' },
});

/** Fetches and parses one surface. A failed fetch is an inconclusive reading. */
export const readStep = async (
  http: Http,
  { surface, request }: Step,
  address: Address,
): Promise<Reading> => {
  try {
    return surface.parse(await http.fetch(request), address);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return unknownReading(surface.name, REASON_OF[error.reason], error.message, error.retryAfterMs);
  }
};

/** The most informative of inconclusive readings, with the longest wait that any requested. */
export const mostInformative = (readings: readonly Reading[]): Reading => {
  const unknowns = readings.filter((reading) => reading.status === 'unknown');
  // A 429 without a wait may reject the client: a wall says more.
  const rank = ({ reason, retryAfterMs }: (typeof unknowns)[number]) =>
    reason === 'rate_limited' && retryAfterMs === undefined ? 2.5 : MOST_INFORMATIVE.indexOf(reason);
  const [first, ...rest] = unknowns.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined) throw new RangeError('No reading to choose from');
  const waits = unknowns.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]));
  return {
    ...first,
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.max(...waits) }),
    warnings: [...first.warnings, ...rest.map(failureOf)],
  };
};

/** One-line description of an inconclusive surface. */
export const failureOf = (reading: Reading): string =>
  reading.status === 'unknown'
    ? `${reading.surface}: ${reading.reason}: ${reading.detail}`.slice(0, 300)
    : `${reading.surface}: says ${reading.status}`;

/** Tries steps in order until one is conclusive; earlier failures become warnings. */
export const firstConclusive = async (
  http: Http,
  steps: readonly Step[],
  address: Address,
): Promise<Reading> => {
  const failed: Reading[] = [];
  for (const step of steps) {
    const reading = await readStep(http, step, address);
    if (reading.status !== 'unknown') return withWarnings(reading, failed.map(failureOf));
    failed.push(reading);
  }
  return mostInformative(failed);
};

export const withWarnings = (reading: Reading, warnings: readonly string[]): Reading =>
  warnings.length === 0 ? reading : { ...reading, warnings: [...reading.warnings, ...warnings] };

/** Whether the platform states of the account itself that it took it away. */
export const isStatement = ({ status }: Reading): boolean =>
  status === 'suspended' || status === 'deactivated';

/** Whether a reading says that there is an account, and at most which one. */
export const showsNoProfile = (reading: Reading): boolean =>
  'profile' in reading && isEmpty({ ...reading.profile, id: null });

/**
 * Adds fields that only a second surface shows. The first one's values win; a failed or contradicting second
 * surface is only a warning, but a statement outranks a first one that shows no profile.
 */
export const supplemented = (first: Reading, second: Reading): Reading => {
  if (first.status !== 'present' && first.status !== 'private') return first;
  if (isStatement(second) && showsNoProfile(first)) return withWarnings(second, [failureOf(first)]);
  if (second.status !== 'present' && second.status !== 'private')
    return withWarnings(first, [failureOf(second)]);
  const { unnamed: _, ...shown } = first;
  return {
    ...shown,
    ...mergedStatus(first, second),
    profile: mergedProfile(first.profile, second.profile),
    ...postsOf(first.posts === null ? second : first),
    measured: [...new Set([...first.measured, ...second.measured])],
    warnings: [...first.warnings, ...second.warnings],
  };
};

/** Most informative first: blocks say more than failures. */
const MOST_INFORMATIVE: readonly UnknownReason[] = [
  'rate_limited',
  'challenge',
  'login_wall',
  'region',
  'restricted',
  'ambiguous',
  'too_large',
  'layout_changed',
  'other_address',
  'unconfirmed',
  'timeout',
  'http_error',
  'no_request_left',
  'no_proxy',
  'session_limited',
  'session_unusable',
  'not_configured',
];

type Shown = Extract<Reading, { readonly profile: Profile }>;

/** Only some surfaces show privacy. They are trusted if they name the account. */
const mergedStatus = (first: Shown, second: Shown) => {
  const hidden = [first, second].filter(({ status }) => status === 'private');
  if (hidden.length === 0) return { status: 'present' as const, ...markOf([first]) };
  return { status: 'private' as const, ...markOf(hidden) };
};

const markOf = (readings: readonly Shown[]) =>
  readings.every(({ unnamed }) => unnamed === true) ? { unnamed: true as const } : {};

/** The posts of a reading, and whether they are complete. */
const postsOf = ({ posts, postOrder, postsSince, postsCursor }: Shown) => ({
  posts,
  ...(postOrder === undefined ? {} : { postOrder }),
  ...(postsSince === undefined ? {} : { postsSince }),
  ...(postsCursor === undefined ? {} : { postsCursor }),
});
