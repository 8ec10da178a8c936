import { PLATFORMS } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import { ANCHOR } from '../world/growth.ts';
import { inBand, type Measurement, near, nearShare } from './measurement.ts';
import type { AccountRow, TruthReader } from './reader.ts';
import { mean, median, medianError, quantile, shareError } from './statistics.ts';

const YEAR = 365 * DAY;

/** All figures of a platform fall on one day. */
export const measurePurges = (reader: TruthReader): Measurement[] => {
  const { purges: law } = reader.parameters;
  const from = Date.UTC(2015, 0, 1);
  const to = Date.UTC(2036, 0, 1);
  const all = reader.read('purges', []).filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to);
  const years = 21 * PLATFORMS.length;
  const count = near('purges a year', all.length / years, law.rate, {
    tolerance: 0.1,
    error: Math.sqrt(Math.max(law.rate, 1 / years) / years),
    n: all.length,
  });
  const one = all.find(({ at }) => Date.parse(at) > ANCHOR);
  if (!one) return [count];
  const limit = Math.min(10_000, reader.size);
  const at = Date.parse(one.at);
  const before = reader.read('accounts', [one.platform], { limit, at });
  const after = reader.read('accounts', [one.platform], { limit, at: at + DAY });
  const falls = before.flatMap((row, n) =>
    row.kind !== 'company' && row.followers_exact > 0
      ? [1 - (after[n]?.followers_exact ?? 0) / row.followers_exact]
      : [],
  );
  return [
    count,
    inBand('fall of followers on the day of a purge, median', median(falls), 0.004, 0.055, falls.length),
    inBand(
      'accounts that fall on that day',
      mean(falls.map((fall) => Number(fall > 0))),
      0.9,
      1,
      falls.length,
    ),
  ];
};

/** Ends of accounts within a year, and private ones. */
export const measureEnds = (reader: TruthReader, accounts: readonly AccountRow[]): Measurement[] => {
  const { ends } = reader.parameters;
  const rows = PLATFORMS.flatMap((platform) => reader.read('changes', [platform]));
  const created = new Map(
    accounts.map((row) => [`${row.platform} ${row.index}`, Date.parse(row.created_at)]),
  );
  const bornAt = (row: { platform: string; index: number }) =>
    created.get(`${row.platform} ${row.index}`) ?? 0;
  const end = (row: (typeof rows)[number], status: string) =>
    row.ends.find((each) => each.status === status) as (typeof row.ends)[number];
  const yearly = (status: string, parameter: number) => {
    const atRisk = rows.filter(
      (row) => bornAt(row) < Date.UTC(2025, 0, 2) && Date.parse(end(row, status).from) >= ANCHOR,
    );
    const ended = atRisk.filter((row) => Date.parse(end(row, status).from) < ANCHOR + YEAR).length;
    return nearShare(`${status} in a year`, ended, atRisk.length, 1 - Math.exp(-parameter));
  };
  const newcomers = rows.filter((row) => bornAt(row) > Date.UTC(2025, 0, 2));
  const early = newcomers.filter(
    (row) => Date.parse(end(row, 'suspended').from) - bornAt(row) <= 21 * DAY,
  ).length;
  const gone = rows.map((row) => end(row, 'deactivated'));
  const back = gone.filter(
    ({ from, to }) => to !== null && Date.parse(to) - Date.parse(from) <= 30 * DAY,
  ).length;
  const result = [
    yearly('suspended', ends.suspended),
    nearShare('new accounts suspended in three weeks', early, newcomers.length, ends.newSuspended),
    yearly('deactivated', ends.deactivated),
    nearShare('deactivated accounts that return in 30 days', back, gone.length, ends.returning),
  ];
  let [switched, seen] = [0, 0];
  for (const platform of ['x', 'instagram', 'tiktok'] as const) {
    const now = accounts.filter(
      (row) => row.platform === platform && (row.status === 'active' || row.status === 'private'),
    );
    const closed = now.filter((row) => row.status === 'private').length;
    result.push(nearShare(`private accounts, ${platform}`, closed, now.length, ends.private[platform]));
    const later = reader.read('accounts', [platform], { at: reader.at + 30.4 * DAY });
    for (const row of now) {
      const other = later[row.index]?.status;
      if (other !== 'active' && other !== 'private') continue;
      seen++;
      if (other !== row.status) switched++;
    }
  }
  return [
    ...result,
    nearShare('accounts that turn private or public in a month', switched, seen, ends.switching),
  ];
};

/** Active bans, and falls of engagement without one. */
export const measureBans = (reader: TruthReader): Measurement[] => {
  const { bans } = reader.parameters;
  const rows = PLATFORMS.flatMap((platform) => reader.read('bans', [platform]));
  const n = reader.size * PLATFORMS.length;
  const of = (kind: string) => rows.filter((row) => row.kind === kind).length;
  const all = bans.search + bans.suggestion + bans.ghost + bans.replies;
  return [
    ...(['search', 'suggestion', 'ghost', 'replies'] as const).map((kind) =>
      nearShare(`bans: ${kind}`, of(kind), n, bans[kind]),
    ),
    nearShare('falls of engagement without a ban', of('none'), n, all * bans.alike),
  ];
};

/** Changes of profiles, of handles, and names that others take. */
export const measureChanges = (reader: TruthReader, accounts: readonly AccountRow[]): Measurement[] => {
  const { profiles, renames } = reader.parameters;
  const rows = PLATFORMS.flatMap((platform) => reader.read('changes', [platform]));
  const counts = rows
    .map((row) => row.name.length + row.bio.length + row.avatar.length)
    .sort((a, b) => b - a);
  const top = counts.slice(0, Math.round(counts.length / 5));
  const total = counts.reduce((a, b) => a + b, 0);
  const unchanged = rows.filter((row) => row.name.length + row.bio.length === 0).length;
  const people = new Set(rows.map((row) => row.index)).size;
  const intervals = rows.map((row) => Math.log10(row.mean_interval_days));
  const born = new Map(accounts.map((row) => [`${row.platform} ${row.index}`, Date.parse(row.created_at)]));
  const old = rows.filter((row) => (born.get(`${row.platform} ${row.index}`) ?? Infinity) < reader.at - YEAR);
  const often = old.filter((row) => row.renames.length > 3);
  const once = old.filter(
    (row) => row.renames.length <= 3 && row.renames.some((at) => Date.parse(at) > reader.at - YEAR),
  );
  // Five years later all that will be taken of the names left by now is.
  const later = PLATFORMS.flatMap((platform) =>
    reader.read('changes', [platform], { at: reader.at + 5 * YEAR }),
  );
  const before = new Set(
    old.filter((row) => row.renames.length === 1).map((row) => `${row.platform} ${row.index}`),
  );
  const left = later.filter((row) => before.has(`${row.platform} ${row.index}`) && row.renames.length <= 3);
  const taken = left.flatMap((row) => row.takeovers.filter(({ left_at }) => left_at === row.renames[0]));
  const days = taken.map((one) => (Date.parse(one.taken_at) - Date.parse(one.left_at)) / DAY);
  return [
    near('change neither name nor bio in a year', unchanged / rows.length, profiles.unchanged, {
      tolerance: profiles.unchanged / 5,
      error: shareError(profiles.unchanged, people),
      n: rows.length,
    }),
    inBand(
      'share of changes of the fifth that changes most',
      top.reduce((a, b) => a + b, 0) / total,
      0.75,
      0.95,
      rows.length,
    ),
    near(
      'decades of mean intervals of changes',
      quantile(intervals, 0.99) - quantile(intervals, 0.01),
      profiles.decades,
      {
        tolerance: 0.2,
        // All accounts of a person have one interval. Of the 1st percentile of a Weibull distribution, by its density.
        error:
          profiles.decades /
          Math.log10(Math.log(0.01) / Math.log(0.99)) /
          Math.LN10 /
          Math.sqrt(people / 100),
        n: rows.length,
      },
    ),
    nearShare('rename in a year', once.length, old.length, 1 - Math.exp(-renames.once)),
    near('rename often', often.length / old.length, renames.often, {
      tolerance: renames.often / 5,
      // Accounts of one person change together, up to seven of them.
      error: shareError(renames.often, old.length / 5),
      n: old.length,
    }),
    nearShare('names left that others take', taken.length, left.length, renames.taken),
    nearShare(
      'names taken to impersonate',
      taken.filter((one) => one.impersonates).length,
      taken.length,
      renames.impersonating,
    ),
    near('days until a name is taken, median', median(days), renames.delayDays, {
      tolerance: renames.delayDays / 5,
      error: medianError(days),
      n: days.length,
    }),
  ];
};
