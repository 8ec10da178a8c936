import { PLATFORMS, type Platform } from '../../simulated-platforms.ts';
import type { Account } from '../../world/account.ts';
import { MEMBERSHIP } from '../../world/identity.ts';
import { pageOf as pageNamed } from '../../world/links.ts';
import { separatedShare, strangerShares } from '../../world/parameters/shares.ts';
import type { World } from '../../world/world.ts';
import { inBand, type Measurement } from '../measurement.ts';
import type { AccountRow, TruthReader } from '../reader.ts';
import { area, mean } from '../statistics.ts';
import { type Cases, scoresOf } from './stumps.ts';
import { featuresOf, handleShape, profileOn, textOn } from './surfaces.ts';

/** Standard errors by which a classifier may beat what is declared: one check in a thousand fails by chance. */
const ERRORS = 4;
const FEWEST = 15;

/** Standard error of an area under the ROC curve (Hanley and McNeil 1982). */
const areaError = (auc: number, positives: number, negatives: number): number => {
  const [one, two] = [auc / (2 - auc), (2 * auc ** 2) / (1 + auc)];
  const sum = auc * (1 - auc) + (positives - 1) * (one - auc ** 2) + (negatives - 1) * (two - auc ** 2);
  return Math.sqrt(Math.max(sum, 0.25) / (positives * negatives));
};

/** Area under the ROC curve over pairs of one platform: how frequent a label is there is no secret. */
const areaWithin = (
  scores: readonly number[],
  labels: readonly boolean[],
  strata: readonly string[],
): number => {
  let [sum, weight] = [0, 0];
  for (const stratum of new Set(strata)) {
    const of = (label: boolean) => scores.filter((_, n) => strata[n] === stratum && labels[n] === label);
    const [positives, negatives] = [of(true), of(false)];
    const pairs = positives.length * negatives.length;
    if (pairs === 0) continue;
    sum += area(positives, negatives) * pairs;
    weight += pairs;
  }
  return sum / weight;
};

/** What a classifier learns of a label from what surfaces show, beside the best that is declared. */
const leak = (
  name: string,
  {
    rows,
    labels,
    strata,
    groups,
  }: Cases & { readonly strata: readonly string[]; readonly groups: readonly number[] },
  declared: number,
): Measurement[] => {
  const cases = { rows, labels };
  const positives = cases.labels.filter(Boolean).length;
  const negatives = cases.labels.length - positives;
  // Of fewer nothing can be learned.
  if (Math.min(positives, negatives) < FEWEST) return [];
  const scores = scoresOf(cases, groups, 17);
  const auc = areaWithin(scores, labels, strata);
  const slack = ERRORS * areaError(Math.max(0.5, declared), positives, negatives);
  return [{ ...inBand(`leak: ${name}, AUC`, auc, 0, declared + slack, cases.labels.length), relative: true }];
};

interface Seen {
  readonly row: AccountRow;
  readonly features: readonly number[];
}

const seenOf = (world: World, at: number, rows: readonly AccountRow[]): readonly Seen[] =>
  rows.flatMap((row) => {
    if (row.kind === 'company') return [];
    const account = world.account(row.platform, row.index, at);
    const profile = profileOn(account);
    if (!profile) return [];
    const text = row.platform === 'tiktok' ? textOn(world, account, at) : '';
    return [{ row, features: [PLATFORMS.indexOf(row.platform), ...featuresOf(profile, text)] }];
  });

const DAY = 86_400_000;

/** Accounts that will be offered for sale and are not yet, and those with paid posts so far. */
const market = (reader: TruthReader) => {
  const name = (one: { platform: Platform; index: number }) => `${one.platform} ${one.index}`;
  const known = new Set(reader.read('listings', []).map(name));
  const sold = new Map<string, number>();
  for (const one of reader.read('placements', [])) sold.set(name(one), (sold.get(name(one)) ?? 0) + 1);
  const later = new Set(reader.read('listings', [], { at: reader.at + 3000 * DAY }).map(name));
  return { known, sold, later, name };
};

const ROLES = ['fan', 'impersonator', 'staff', 'taken_name', 'parody', 'twin', 'client'] as const;

/** What the shares of handles with separators tell of a role: names are taken where both platforms allow them. */
const declaredOf = (role: (typeof ROLES)[number], { parameters }: TruthReader): number => {
  const share = separatedShare(parameters);
  if (role === 'taken_name') return 0.5 + share / 2;
  if (role !== 'impersonator' && role !== 'parody') return 0.5;
  const { taken } = strangerShares(parameters);
  const there = mean(PLATFORMS.map((platform) => share / (1 - taken / (1 - MEMBERSHIP[platform]))));
  return 0.5 + Math.abs(there - share) / 2;
};

const PAGE = pageNamed('');
/** Name of the first link page that an account links to. */
const pageOf = ({ links }: AccountRow): string | null =>
  links.find((link) => link.startsWith(PAGE))?.slice(PAGE.length) ?? null;

/** Person, role, ban, community, for sale: nothing that a profile shows beside its links and bio may tell them. */
export const measureAccountLeaks = (
  world: World,
  reader: TruthReader,
  accounts: readonly AccountRow[],
): Measurement[] => {
  const seen = seenOf(world, reader.at, accounts);
  const judge = (
    name: string,
    among: readonly Seen[],
    label: (row: AccountRow) => boolean,
    declared = 0.5,
    more: (row: AccountRow) => readonly number[] = () => [],
  ) =>
    leak(
      name,
      {
        rows: among.map(({ row, features }) => [...features, ...more(row)]),
        labels: among.map(({ row }) => label(row)),
        strata: among.map(({ row }) => row.platform),
        groups: among.map(({ row }) => row.index),
      },
      declared,
    );
  const { known, sold, later, name } = market(reader);
  const communities = reader
    .read('communities', [])
    .filter(({ state }) => state === 'living')
    .sort((a, b) => b.size - a.size)
    .slice(0, 1);
  return [
    ...judge('an account is of a person with others', seen, (row) => row.person !== null),
    ...ROLES.flatMap((role) =>
      judge(`role ${role}`, seen, (row) => row.role === role, declaredOf(role, reader)),
    ),
    ...judge(
      'an agency, by the name of a link page',
      // Many accounts of an agency share one page.
      [
        ...new Map(
          seen.flatMap((one) => (pageOf(one.row) === null ? [] : [[pageOf(one.row), one]])),
        ).values(),
      ],
      (row) => row.role === 'client' || row.role === 'agency',
      0.5,
      (row) => handleShape(pageOf(row) ?? ''),
    ),
    ...judge(
      'a ban, among falls of engagement',
      seen.filter(({ row }) => row.ban !== null),
      (row) => row.ban?.kind !== 'none',
    ),
    ...communities.flatMap(({ number }) =>
      judge(
        'the largest community',
        seen.filter(({ row }) => Date.parse(row.created_at) < Date.UTC(2025, 0, 1)),
        (row) => row.community === number,
      ),
    ),
    ...judge(
      'for sale later',
      seen.filter(({ row }) => !known.has(name(row))),
      (row) => later.has(name(row)),
      0.5,
      (row) => [sold.get(name(row)) ?? 0],
    ),
  ];
};

/** What other platforms show under a name: how many accounts there are, and their figures, averaged. */
const elsewhere = (world: World, { platform, handle }: Account, at: number) => {
  const name = handle.replace('.bsky.social', '');
  const found = PLATFORMS.flatMap((other) => {
    if (other === platform) return [];
    const there = world.current(other, other === 'bluesky' ? `${name}.bsky.social` : name, at);
    return there ? [there] : [];
  });
  const average = (figure: (account: Account) => number) =>
    found.length === 0 ? -1 : mean(found.map(figure));
  return {
    found,
    features: [
      found.length,
      average((one) => Math.log(one.followers + 1)),
      average((one) => Math.log(one.following + 1)),
      average((one) => Math.log(one.posts + 1)),
      average((one) => one.createdAt),
      average((one) => Number(one.hasAvatar)),
      average((one) => Number(one.bio !== '')),
    ],
  };
};

/** Kinds of followers: the figures of a follower, its name and all accounts of that name tell no more than declared. */
export const measureFollowerLeaks = (
  world: World,
  reader: TruthReader,
  accounts: readonly AccountRow[],
  lists: number,
): Measurement[] => {
  const { at } = reader;
  const [rows, labels, groups]: [(readonly number[])[], boolean[], number[]] = [[], [], []];
  const [ratios, strata]: [number[], string[]] = [[], []];
  let [cases, strangers] = [0, 0];
  for (const platform of ['x', 'instagram', 'tiktok'] as const) {
    const owners = accounts
      .filter((row) => row.platform === platform && row.followers >= 300 && row.followers < 6000)
      .slice(0, Math.ceil(lists / 3));
    for (const { index: owner } of owners)
      for (const member of reader.read('followers', [platform, owner], { limit: 120 })) {
        if (member.resident || member.log_ratio === null) continue;
        const account = world.account(platform, member.index, at);
        const profile = profileOn(account);
        if (!profile) continue;
        const text = platform === 'tiktok' ? textOn(world, account, at) : '';
        const { found, features } = elsewhere(world, account, at);
        const related = new Set(world.hidden.elsewhere(platform, member.index).map((one) => one.platform));
        cases += PLATFORMS.length - 1;
        strangers += found.filter((one) => !related.has(one.platform)).length;
        rows.push([
          PLATFORMS.indexOf(platform),
          ...featuresOf(profile, text),
          Number(member.has_avatar),
          Number(member.has_bio),
          member.position % 2,
          member.position,
          ...features,
        ]);
        labels.push(member.kind === 'suspicious');
        ratios.push(member.log_ratio);
        strata.push(platform);
        // Members of a campaign share their age.
        groups.push(member.campaign ?? 1_000_000 + groups.length);
      }
  }
  const names = world.parameters.names.sameHandle;
  return [
    ...leak('kinds of followers', { rows, labels, strata, groups }, areaWithin(ratios, labels, strata)),
    {
      ...inBand(
        'leak: names of followers that strangers have on a given other platform',
        strangers / cases,
        0,
        names + Math.max(names / 5, ERRORS * Math.sqrt(names / cases)),
        cases,
      ),
      relative: true,
    },
  ];
};
