import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { DAY } from '../world/account.ts';
import { ANCHOR } from '../world/growth.ts';
import { inBand, type Measurement, near, nearShare } from './measurement.ts';
import type { AccountRow, TruthReader } from './reader.ts';
import {
  deviation,
  kurtosis,
  mean,
  median,
  medianError,
  paretoExponent,
  quantile,
  regression,
  shareError,
} from './statistics.ts';

const YEAR = 365 * DAY;
const there = (rows: readonly AccountRow[]) =>
  rows.filter((row) => row.status !== 'absent' && row.person !== undefined);

/** Followers: a log-normal body and a tail, by platform. */
export const measureFollowers = (
  { parameters, at }: TruthReader,
  accounts: readonly AccountRow[],
): Measurement[] =>
  PLATFORMS.flatMap((platform) => {
    const grown = there(accounts).filter(
      (row) => row.platform === platform && row.kind !== 'company' && at - Date.parse(row.created_at) > YEAR,
    );
    const followers = grown.map((row) => row.followers_exact).filter((count) => count > 0);
    const logs = followers.map(Math.log);
    const sigma = (quantile(logs, 0.8413) - quantile(logs, 0.1587)) / 2;
    const slack = (3 * 1.2 * sigma) / Math.sqrt(logs.length);
    const tail = paretoExponent(followers, 1e5, 1e7);
    const body = [
      inBand(`deviation of ln followers, ${platform}`, sigma, 2.2 - slack, 3 + slack, logs.length),
    ];
    // Fewer have no slope.
    if (tail.n < 5) return body;
    return [
      ...body,
      near(
        `slope of the CCDF over 10^5 to 10^7, ${platform}`,
        tail.exponent,
        parameters.followers.tail[platform],
        {
          tolerance: 0.15,
          // Of the inverse of a mean of n exponential draws.
          error: (parameters.followers.tail[platform] * tail.n) / (tail.n - 1) / Math.sqrt(tail.n - 2),
          n: tail.n,
        },
      ),
    ];
  });

/** Volatility, jumps and trend, on the year after the day at which sizes are drawn. */
export const measureGrowth = (
  reader: TruthReader,
  accounts: readonly AccountRow[],
  sample: number,
): Measurement[] => {
  const { parameters } = reader;
  const at = ANCHOR + YEAR;
  const dormant = new Map(
    accounts.map((row) => [
      `${row.platform} ${row.index}`,
      row.dormant_from !== null && Date.parse(row.dormant_from) < ANCHOR,
    ]),
  );
  const old = new Set(
    accounts
      .filter((row) => Date.parse(row.created_at) < ANCHOR - YEAR)
      .map((row) => `${row.platform} ${row.index}`),
  );
  const volatilities: number[] = [];
  const standard: number[] = [];
  const [sizes, returns, platforms, losses]: [number[], number[], string[], number[]] = [[], [], [], []];
  for (const platform of PLATFORMS) {
    for (const { index, weekly } of reader.read('series', [platform], { limit: Math.ceil(sample / 7), at })) {
      if (!old.has(`${platform} ${index}`) || weekly.some((count) => count <= 0)) continue;
      const logs = weekly.map(Math.log);
      const steps = logs.slice(1).map((value, n) => value - (logs[n] as number));
      const middle = median(steps);
      // Purges and jumps are no part of the volatility.
      const volatility = 1.4826 * median(steps.map((step) => Math.abs(step - middle)));
      volatilities.push(Math.log10(volatility));
      for (const step of steps) standard.push((step - middle) / volatility);
      const whole = (logs.at(-1) as number) - (logs[0] as number);
      sizes.push(logs[0] as number);
      returns.push(whole);
      platforms.push(platform);
      if (dormant.get(`${platform} ${index}`)) losses.push(middle * 4.35);
    }
  }
  const decades = quantile(volatilities, 0.99) - quantile(volatilities, 0.01);
  const line = regression(sizes, returns, platforms);
  const n = sizes.length;
  return [
    near('decades of weekly volatility, 1st to 99th percentile', decades, parameters.growth.decades, {
      tolerance: 0.5,
      error: 4 / Math.sqrt(n),
      n,
    }),
    inBand('kurtosis of weekly returns', kurtosis(standard), 10, Infinity, standard.length),
    near('dependence of the mean return on ln followers', line.slope, 0, {
      tolerance: 0,
      error: line.error,
      n,
    }),
    inBand(
      'monthly change of dormant accounts, median',
      median(losses),
      -parameters.dormancy.loss,
      0,
      losses.length,
    ),
  ];
};

/** Accounts that did not post within a year. */
export const measureDormancy = (reader: TruthReader, accounts: readonly AccountRow[]): Measurement[] =>
  PLATFORMS.map((platform) => {
    const before = new Map(
      reader.read('accounts', [platform], { at: reader.at - YEAR }).map((row) => [row.index, row.posts]),
    );
    const posting = there(accounts).filter(
      (row) =>
        row.platform === platform &&
        (row.kind === 'person' || row.kind === 'channel') &&
        reader.at - Date.parse(row.created_at) > YEAR,
    );
    const silent = posting.filter((row) => row.posts === before.get(row.index)).length;
    return nearShare(
      `without a post in a year, ${platform}`,
      silent,
      posting.length,
      reader.parameters.dormancy.share[platform],
    );
  });

/** The hidden rate falls with size and then no more. */
export const measureElasticity = (
  { parameters }: TruthReader,
  accounts: readonly AccountRow[],
): Measurement[] => {
  const bands = [
    ['below 20,000', 1, 20_000, parameters.engagement.small],
    ['20,000 to 100,000', 20_000, 100_000, parameters.engagement.middle],
    ['above 100,000', 100_000, Infinity, parameters.engagement.large],
  ] as const;
  const persons = accounts.filter((row) => row.kind !== 'company');
  return bands.map(([name, from, to, parameter]) => {
    const rows = persons.filter((row) => row.size >= from && row.size < to);
    const { slope, error } = regression(
      rows.map((row) => Math.log(row.size)),
      rows.map((row) => Math.log(row.engagement.rate)),
      rows.map((row) => row.platform),
    );
    return near(`elasticity of the engagement rate, ${name}`, slope, parameter, {
      tolerance: 0.05,
      error,
      n: rows.length,
    });
  });
};

/** Shares of accounts with effects, and sizes of the effect of the hour. */
export const measureEffects = (reader: TruthReader): Measurement[] => {
  const { timing, content } = reader.parameters;
  const rows = PLATFORMS.flatMap((platform) => reader.read('effects', [platform]));
  const best = rows.flatMap((row) => (row.timing ? [row.timing.factor] : []));
  const links = rows.filter((row) => row.factors.links !== 1);
  return [
    nearShare('accounts with an effect of the hour', best.length, rows.length, timing.share),
    near('median factor of the best hour', median(best), timing.middle, {
      tolerance: 0.02,
      error: medianError(best),
      n: best.length,
    }),
    inBand('largest factor of the best hour', Math.max(...best), 1.08, 1.6, best.length),
    nearShare('accounts with an effect of links', links.length, rows.length, content.share),
    nearShare(
      'confounded ones among them',
      links.filter((row) => row.confounded.links).length,
      links.length,
      content.confounded,
    ),
  ];
};

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
    nearShare('change neither name nor bio in a year', unchanged, rows.length, profiles.unchanged),
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
        error: (4 * deviation(intervals)) / Math.sqrt(rows.length),
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
