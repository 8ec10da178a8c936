import type { LiveReading } from '../../../crawlers/live-read/port.ts';
import { isoOf } from '../../../kernel/clock.ts';
import type { AccountKey } from '../../../read/accounts.ts';
import { STATUSES } from '../../../write/accounts/account.ts';
import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile, factsOf } from '../../../write/accounts/profile.ts';
import { entriesOf, knownAs, liveKey, parseAccountRef } from '../../contract/account-ref.ts';
import type { ListedAccount } from '../../contract/endpoint.ts';
import { isRecorded, statusOfReading } from '../../contract/live-reading.ts';
import type { LiveEntry, LivePost } from '../../contract/schemas/scrape.ts';
import type { Services } from '../../services.ts';

/** The account of X that a text names. @throws {ServiceError} `invalid_request` if it is no handle or id of X. */
export const xKey = (services: Services, text: string, path: string): Promise<AccountKey> =>
  liveKey(services, parseAccountRef(services, 'x', text, path));

/** A live reading as an entry. An account that is gone has its name and what the catalog knows. */
export const liveEntryOf = async (
  services: Pick<Services, 'entries'>,
  key: AccountKey,
  live: LiveReading,
): Promise<LiveEntry> => {
  const known = await knownAs(entriesOf(services), key, live.reading, await services.entries.find(key));
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

/** The account of a page, from the reading that found its list. */
export const listedAccountOf = (key: AccountKey, reading: LiveReading['reading']): ListedAccount => {
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
