import { SITES } from '../platforms/registry.ts';
import { PLATFORMS } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { distinct, everyOf, type Law, shareOf } from './law.ts';
import type { AccountRow, TruthReader } from './reader.ts';

const YEAR = 365 * DAY;

export const nameOf = (one: { readonly platform: string; readonly index: number }): string =>
  `${one.platform} ${one.index}`;

export const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

const isThere = (row: AccountRow): boolean => row.status === 'active' || row.status === 'private';

/** Whether surfaces show the truth of an account, or nothing. */
const showsTruth = (world: World, row: AccountRow, at: number): boolean =>
  SITES[row.platform]
    .visible(world.account(row.platform, row.index, at))
    .every(
      ({ profile }) =>
        profile === null ||
        ((profile.id ?? row.id) === row.id &&
          profile.handle === row.handle &&
          (profile.created_at ?? row.created_at).slice(0, 10) === row.created_at.slice(0, 10) &&
          (profile.posts ?? row.posts) <= row.posts &&
          (profile.links ?? []).every((link) => row.links.includes(link))),
    );

/** Identities, handles and figures of accounts. */
export const accountLaws = (world: World, reader: TruthReader, rows: readonly AccountRow[]): Law[] => {
  const { at } = reader;
  const before = PLATFORMS.flatMap((platform) => reader.read('accounts', [platform], { at: at - YEAR }));
  const posts = new Map(before.map((row) => [nameOf(row), row.posts]));
  const weekly = PLATFORMS.flatMap((platform) => reader.read('series', [platform], { weeks: 2 }));
  const exact = new Map(rows.map((row) => [nameOf(row), row.followers_exact]));
  return [
    distinct(
      'IDs are of one account',
      rows.map(({ platform, id }) => `${platform} ${id}`),
    ),
    everyOf(
      'a handle leads to its account, and is no other’s',
      rows.filter(isThere),
      (row) => world.current(row.platform, row.handle, at)?.index === row.index,
    ),
    everyOf('an ID leads to its account', rows, (row) => world.findById(row.platform, row.id) === row.index),
    everyOf('figures are counts', rows, (row) => [row.followers, row.following, row.posts].every(isCount)),
    everyOf(
      'followers are their exact figure, rounded',
      rows.filter((row) => row.followers_exact < 1e5),
      (row) => Math.abs(row.followers - row.followers_exact) <= 1,
    ),
    everyOf('a series ends with the followers of today', weekly, (row) => {
      const today = exact.get(nameOf(row)) ?? 0;
      return Math.abs((row.weekly.at(-1) ?? 0) - today) <= today * 1e-4;
    }),
    everyOf(
      'an account has the posts that it had a year before',
      rows,
      (row) => (posts.get(nameOf(row)) ?? 0) <= row.posts,
    ),
    everyOf('surfaces show the truth', rows.filter(isThere), (row) => showsTruth(world, row, at)),
  ];
};

/** What an account goes through. */
export const lifeLaws = (reader: TruthReader, rows: readonly AccountRow[]): Law[] => {
  const { at, parameters } = reader;
  const changes = PLATFORMS.flatMap((platform) => reader.read('changes', [platform]));
  const banned = new Set(PLATFORMS.flatMap((platform) => reader.read('bans', [platform])).map(nameOf));
  const statuses = new Map(rows.map((row) => [nameOf(row), row.status]));
  const isWithin = ({ from, to }: { readonly from: string; readonly to: string | null }): boolean =>
    Date.parse(from) <= at && (to === null || Date.parse(to) > at);
  const persons = rows.filter(({ index }) => index < reader.size);
  return [
    everyOf(
      'an account is what a spell of its life makes it',
      changes.filter((row) => statuses.get(nameOf(row)) !== 'absent'),
      (row) => {
        const status = statuses.get(nameOf(row)) ?? '';
        const spells = row.ends.filter(isWithin).map((spell) => spell.status as string);
        return spells.length === 0 ? !['suspended', 'deactivated'].includes(status) : spells.includes(status);
      },
    ),
    everyOf('renames are in order', changes, (row) => row.renames.join() === row.renames.toSorted().join()),
    everyOf('a name is taken after it was left', changes, (row) =>
      row.takeovers.every(({ left_at, taken_at }) => row.renames.includes(left_at) && taken_at > left_at),
    ),
    everyOf(
      'the list of bans has those of accounts',
      rows,
      (row) => banned.has(nameOf(row)) === (row.ban !== null),
    ),
    ...(['search', 'suggestion', 'ghost', 'replies'] as const).map((kind) =>
      shareOf(`bans: ${kind}`, persons, ({ ban }) => ban?.kind === kind, parameters.bans[kind]),
    ),
    ...(['x', 'instagram', 'tiktok'] as const).map((platform) =>
      shareOf(
        `private accounts, ${platform}`,
        rows.filter((row) => row.platform === platform && isThere(row)),
        ({ status }) => status === 'private',
        parameters.ends.private[platform],
      ),
    ),
  ];
};
