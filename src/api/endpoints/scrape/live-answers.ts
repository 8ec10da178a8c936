import { z } from 'zod';
import type { LiveReading, UpstreamPosition } from '../../../crawlers/live-read/port.ts';
import { isoOf } from '../../../kernel/clock.ts';
import type { AccountKey } from '../../../read/accounts.ts';
import type { CursorPosition } from '../../../read/keyset.ts';
import { STATUSES } from '../../../write/accounts/account.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile, factsOf } from '../../../write/accounts/profile.ts';
import { entrySource, knownAs, liveKey, parseAccountRef } from '../../contract/account-ref.ts';
import type { Answer, EndpointRequest, ListedAccount } from '../../contract/endpoint.ts';
import { addressOf, isRecorded, statusOfReading } from '../../contract/live-call.ts';
import { accountText } from '../../contract/schemas/accounts.ts';
import type { LiveEntry, LivePost } from '../../contract/schemas/scrape.ts';
import type { Services } from '../../services.ts';

/** The account of X that a text names. @throws {ServiceError} `invalid_request` if it is no handle or id of X. */
export const xKey = (services: Services, text: string, path: string): Promise<AccountKey> =>
  liveKey(services, parseAccountRef(services, 'x', text, path));

/** A live reading as an entry. For an account that is gone, it has its name and the catalog's fields. */
export const liveEntryOf = async (
  services: Pick<Services, 'entries'>,
  key: AccountKey,
  live: LiveReading,
): Promise<LiveEntry> => {
  const known = await knownAs(entrySource(services), key, live.reading, await services.entries.find(key));
  const { reading, observedAtMs } = live;
  const observedAt = isoOf(observedAtMs);
  const status = statusOfReading(reading);
  const seen = reading.status === 'present' || reading.status === 'private' ? reading.profile : null;
  const isFound = STATUSES[status].exists === true && (seen !== null || isRecorded(key));
  const foundAt = isFound ? observedAt : null;
  return {
    platform: key.platform,
    id: seen?.id ?? (key.by === 'id' ? key.value : (known?.entry.id ?? null)),
    handle: seen?.handle ?? (key.by === 'handle' ? key.value : (known?.entry.handle ?? null)),
    ...factsOf(seen ?? emptyProfile('')),
    first_seen_at: known?.entry.first_seen_at ?? foundAt,
    last_seen_at: seen === null ? (known?.entry.last_seen_at ?? foundAt) : observedAt,
    status,
    previous_handles: [...(known?.entry.previous_handles ?? [])],
    observed_at: observedAt,
  };
};

/** @param pinned IDs of pinned posts; null if the surface does not show which are. */
export const livePostOf = (
  post: Post,
  author: LivePost['author'],
  observedAtMs: number,
  pinned: ReadonlySet<string> | null,
): LivePost => {
  const { links: _, ...shown } = post;
  return {
    ...shown,
    hashtags: shown.hashtags === null ? null : [...shown.hashtags],
    mentions: shown.mentions === null ? null : [...shown.mentions],
    pinned: pinned === null ? null : pinned.has(post.id),
    author,
    observed_at: isoOf(observedAtMs),
  };
};

/** The common definition of endpoints for an account's lists on X. */
export const xListEndpoint = {
  group: 'scrape',
  method: 'GET',
  scope: 'scrape:live',
  meter: 'live',
  upstreamReads: 18,
  list: true,
  /** As many as X sends at once. */
  maxLimit: 40,
  listsOfAccount: true,
  params: z.strictObject({}),
  query: z.strictObject({ handle: accountText }),
  errors: [],
} as const;

/** The answer of a list that has nothing to show. */
export const nothingListed = (observedAtMs: number, account: ListedAccount): Answer<never[]> => ({
  data: [],
  source: 'live',
  readAtMs: observedAtMs,
  next: null,
  account,
});

/**
 * The list of a request: read for its first page, known from the cursor for later ones.
 *
 * @param firstCount How many items to ask for on the first page.
 */
export const openUpstreamList = async (
  request: EndpointRequest<unknown, unknown, unknown>,
  key: AccountKey,
  firstCount: number = request.limit,
): Promise<UpstreamList | { readonly nothing: Answer<never[]> }> => {
  if (request.after !== null) {
    const [account, cursor, session, skip, count] = request.after as CursorPosition & UpstreamCursor;
    const { readAtMs: accountReadAtMs, ...known } = JSON.parse(account) as CursorAccount;
    const at = { owner: known.id as string, cursor: cursor || null, session: session || null };
    return {
      account: known,
      accountReadAtMs,
      at,
      skip,
      count: skip > 0 ? count : request.limit,
      askedBefore: count,
      showsPrivacy: true,
    };
  }
  const { reading, observedAtMs } = await request.services.live.read(
    key.platform,
    addressOf(key),
    request.liveCall,
  );
  const account = listedAccountOf(key, reading);
  if (account.status !== 'active' || account.id === null)
    return { nothing: nothingListed(observedAtMs, account) };
  return {
    account,
    accountReadAtMs: observedAtMs,
    at: { owner: account.id, cursor: null, session: null },
    skip: 0,
    count: firstCount,
    askedBefore: firstCount,
    showsPrivacy: reading.status === 'present' && reading.measured.includes('private'),
  };
};

/** The items that make up a page of the list, and the position of the next page; null at the end. */
export const cutUpstreamPage = <Item>(
  { account, accountReadAtMs, at, skip, count }: UpstreamList,
  items: readonly Item[],
  limit: number,
  { cursor, session }: { readonly cursor: string | null; readonly session: string | null },
): { readonly shown: readonly Item[]; readonly next: UpstreamCursor | null; readonly isWhole: boolean } => {
  const isWhole = skip + limit >= items.length;
  const upstream = isWhole ? cursor : (at.cursor ?? '');
  return {
    shown: items.slice(skip, skip + limit),
    isWhole,
    next:
      upstream === null
        ? null
        : [
            JSON.stringify({ ...account, readAtMs: accountReadAtMs }),
            upstream,
            session ?? '',
            isWhole ? 0 : skip + limit,
            count,
          ],
  };
};

/** The account of a page, from the reading that found its list. */
const listedAccountOf = (key: AccountKey, reading: LiveReading['reading']): ListedAccount => {
  const seen = reading.status === 'present' || reading.status === 'private' ? reading.profile : null;
  return {
    platform: key.platform,
    id: seen?.id ?? (key.by === 'id' ? key.value : null),
    handle: seen?.handle ?? (key.by === 'handle' ? key.value : null),
    status: statusOfReading(reading),
    followers: seen?.followers ?? null,
    capped: null,
  };
};

/** The first fields of every cursor: where the list resumes at the platform. */
type UpstreamCursor = readonly [
  account: string,
  /** The platform's cursor; empty for its first page. */
  cursor: string,
  session: string,
  /** Items of the platform's page that were returned already. */
  skip: number,
  /**
   * How many items the platform was asked for: a page that is read again is the same page, whatever the request's
   * `limit`.
   */
  count: number,
];

type CursorAccount = ListedAccount & { readonly readAtMs: number };

/** A list of an account that is read from the platform page by page. */
interface UpstreamList {
  readonly account: ListedAccount;
  /** When the account was read, for the first page. */
  readonly accountReadAtMs: number;
  readonly at: UpstreamPosition;
  readonly skip: number;
  /** How many items to ask the platform for. */
  readonly count: number;
  /** How many it was asked for when the cursor was made; a list in which each page has a number has all of this size. */
  readonly askedBefore: number;
  /** Whether the account's privacy is known, so that an empty list means that there is nothing. */
  readonly showsPrivacy: boolean;
}
