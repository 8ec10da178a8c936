import { PLATFORMS } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import { ANCHOR } from '../world/growth.ts';
import { inBand, type Measurement, near, nearInLog, nearShare } from './measurement.ts';
import type { AccountRow, TruthReader } from './reader.ts';
import { kurtosis, median, medianError, paretoExponent, quantile, regression } from './statistics.ts';

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
      nearInLog(
        `slope of the CCDF over 10^5 to 10^7, ${platform}`,
        tail.exponent,
        parameters.followers.tail[platform],
        {
          tolerance: 0.15,
          // Of the inverse of a mean of n exponential draws.
          error: 1 / Math.sqrt(tail.n - 2),
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
      // A jump fades for months: what two weeks have in common is no volatility either.
      const turns = steps.slice(1).map((step, n) => Math.abs(step - (steps[n] as number)));
      const volatility = (1.4826 / Math.SQRT2) * median(turns);
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
