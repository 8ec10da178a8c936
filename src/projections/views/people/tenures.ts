import type { Platform } from '../../../kernel/platform.ts';
import { handleIn } from '../../../platforms/index.ts';
import type { AccountStatus } from '../../../write/accounts/events.ts';
import { emptyProfile, type Moved, type Profile } from '../../../write/accounts/profile.ts';
import { isHidden } from '../../../write/accounts/status.ts';
import { accountKey, identityFacts } from '../../../write/people/account.ts';
import { nameKey, readName } from '../../../write/people/names.ts';
import { pictureOf } from '../../../write/people/picture.ts';
import { type AccountRow, rankOf } from './tables.ts';

/** Rows of one name: who had it, one after the other. A function of the stream of that name alone. */
export type Tenures = readonly AccountRow[];

const later = (a: AccountRow, b: AccountRow): AccountRow =>
  b.seen_at > a.seen_at || (b.seen_at === a.seen_at && b.native_id < a.native_id) ? b : a;

/** Who has the name: who was seen with it last. */
const holderOf = (tenures: Tenures): AccountRow | undefined =>
  tenures.length === 0 ? undefined : tenures.reduce(later);

export interface Sighted {
  readonly platform: Platform;
  readonly name: string;
  readonly at: string;
  readonly status: AccountStatus;
  readonly profile: Profile;
}

/** A changed row; `before` is what it replaces, under whichever ID. */
export interface Change {
  readonly before: AccountRow | undefined;
  readonly after: AccountRow;
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, n) => one === b[n]);

/** What a profile links to, each since when: others that are added or moved leave the date of a link as it is. */
const linksOf = (
  before: AccountRow | undefined,
  targets: readonly string[],
  at: string,
): Pick<AccountRow, 'targets' | 'targets_at'> => {
  if (before === undefined) return { targets, targets_at: targets.map(() => at) };
  if (same(before.targets, targets)) return { targets: before.targets, targets_at: before.targets_at };
  const since = new Map(before.targets.map((target, n) => [target, before.targets_at[n] as string]));
  return { targets, targets_at: targets.map((target) => since.get(target) ?? at) };
};

/** The row that a reading is of: of its native ID, or of the holder, who may have been seen without one. */
const ownIn = (tenures: Tenures, id: string | null): AccountRow | undefined => {
  if (id === null) return holderOf(tenures);
  return tenures.find((row) => row.native_id === id) ?? tenures.find((row) => row.native_id === '');
};

/** Applies a full profile; null if it is older than what is known. */
export const sight = (tenures: Tenures, { platform, name, at, status, profile }: Sighted): Change | null => {
  const id = profile.id ?? (handleIn(platform, name) === null ? name : null);
  const before = ownIn(tenures, id);
  if (before !== undefined && at <= before.seen_at) return null;
  const facts = identityFacts(platform, profile);
  const links = linksOf(before, facts.targets, at);
  const nativeId = id ?? before?.native_id ?? '';
  return {
    before,
    after: {
      platform,
      name,
      native_id: nativeId,
      account: accountKey(platform, name, nativeId === '' ? null : nativeId),
      display_name: facts.displayName,
      name_key: nameKey(readName(facts.displayName)),
      intro: facts.intro,
      picture: facts.picture,
      ...links,
      is_disclaimed: facts.isDisclaimed,
      followers: profile.followers,
      verified: profile.verified,
      status,
      since: before?.since ?? at,
      seen_at: at,
      identified_at: id !== null || before === undefined || nativeId === '' ? at : before.identified_at,
      observed_at: before === undefined || at > before.observed_at ? at : before.observed_at,
    },
  };
};

/** Applies values that moved while all others remained. */
export const resight = (tenures: Tenures, at: string, moved: Moved): Change | null => {
  const before = holderOf(tenures);
  if (before === undefined || at <= before.seen_at) return null;
  const { followers = before.followers } = moved;
  const picture = moved.avatar_url === undefined ? before.picture : pictureOf(moved.avatar_url);
  const isBack = before.status !== 'active' && before.status !== 'private';
  const after: AccountRow = {
    ...before,
    followers,
    picture,
    status: isBack ? 'active' : before.status,
    seen_at: at,
    // The profile again that a reading has shown: it is whose that was.
    identified_at: before.identified_at === before.seen_at ? at : before.identified_at,
    observed_at: at > before.observed_at ? at : before.observed_at,
  };
  return { before, after };
};

/** Before any reading that shows an account: where one has another name, that is the present one. */
const NEVER = new Date(0).toISOString();

/** An account that its platform has and does not show, and that was never seen under the name. */
const hidden = (platform: Platform, name: string, at: string, status: AccountStatus): Change => {
  const shown = { ...emptyProfile(name), id: handleIn(platform, name) === null ? name : null };
  const found = sight([], { platform, name, at, status, profile: shown }) as Change;
  return shown.id === null ? found : { ...found, after: { ...found.after, identified_at: NEVER } };
};

/** Applies that an account is gone, which changes nothing of whose it is. */
export const end = (
  tenures: Tenures,
  { platform, name, at, status }: Omit<Sighted, 'profile'>,
): Change | null => {
  const before = holderOf(tenures);
  if (before === undefined && isHidden(status)) return hidden(platform, name, at, status);
  return before === undefined || at <= before.observed_at
    ? null
    : { before, after: { ...before, status, observed_at: at } };
};

/** Columns that change with nearly every reading. */
export const MOVED = [
  'picture',
  'followers',
  'status',
  'seen_at',
  'identified_at',
  'observed_at',
] as const satisfies readonly (keyof AccountRow)[];

const REMAINING = [
  'account',
  'display_name',
  'intro',
  'targets',
  'is_disclaimed',
  'verified',
] as const satisfies readonly (keyof AccountRow)[];

/** Whether a row changed in no columns but these. The other ones follow from those that remain. */
export const isMove = ({ before, after }: Change): boolean =>
  before !== undefined && REMAINING.every((column) => before[column] === after[column]);

/** Whether another account has the name, or has it under another key: links to the name may mean others. */
export const isOfTenure = ({ before, after }: Change): boolean => before?.account !== after.account;

/** Whether a change may change whose the account is, or how its person is listed. */
export const isOfIdentity = ({ before, after }: Change): boolean =>
  before === undefined ||
  before.account !== after.account ||
  before.display_name !== after.display_name ||
  before.intro !== after.intro ||
  before.picture !== after.picture ||
  before.targets !== after.targets ||
  before.is_disclaimed !== after.is_disclaimed ||
  rankOf(before.followers) !== rankOf(after.followers);
