import { PLATFORMS } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import { inBand, type Measurement, near, nearShare } from './measurement.ts';
import type { TruthReader } from './reader.ts';
import { deviation, median, regression } from './statistics.ts';

/** Prices of accounts and of paid posts, regained by least squares. */
export const measureMarket = (reader: TruthReader): Measurement[] => {
  const { market } = reader.parameters;
  // Long after the last offer every listing is known and has ended.
  const at = reader.at + 3000 * DAY;
  const listings = reader.read('listings', [], { at });
  const logs = listings.map(
    (one) => Math.log((one.prices[0]?.price_micro_usd ?? 0) / 1e6) - one.model.age - one.model.engagement,
  );
  const line = regression(
    listings.map((one) => one.ln_followers),
    logs,
    listings.map((one) => one.platform),
  );
  const n = listings.length;
  const noise = deviation(line.residuals);
  const first = listings.filter((one) => one.relisted_from === null);
  const sold = listings.filter((one) => one.sold_micro_usd !== null);
  const discounts = sold.map((one) => (one.sold_micro_usd ?? 0) / (one.prices.at(-1)?.price_micro_usd ?? 1));
  const placements = reader.read('placements', [], { at });
  const residuals: number[] = [];
  const medians = PLATFORMS.map((platform) => {
    const cpms = placements
      .filter((one) => one.platform === platform)
      .map((one) => one.price_micro_usd / 1000 / one.views);
    const middle = median(cpms);
    for (const cpm of cpms) if (cpm > 0) residuals.push(Math.log(cpm / middle));
    return near(`CPM in dollars, median, ${platform}`, middle, market.cpm[platform], {
      tolerance: market.cpm[platform] / 5,
      error: (1.2533 * market.cpmSigma * market.cpm[platform]) / Math.sqrt(cpms.length),
      n: cpms.length,
    });
  });
  return [
    near('elasticity of prices to followers', line.slope, market.elasticity, {
      tolerance: 0.05,
      error: line.error,
      n,
    }),
    near('noise of ln prices', noise, market.noise, {
      tolerance: 0.05,
      error: market.noise / Math.sqrt(2 * n),
      n,
    }),
    inBand('smallest sale by asking price', Math.min(...discounts), 0.49, 0.7, sold.length),
    inBand('largest sale by asking price', Math.max(...discounts), 0.8, 1.01, sold.length),
    nearShare('never sold', n - sold.length, n, market.unsold),
    nearShare('offered again', n - first.length, first.length, market.relisted),
    ...medians,
    near('deviation of ln CPM', deviation(residuals), market.cpmSigma, {
      tolerance: 0.05,
      error: market.cpmSigma / Math.sqrt(2 * residuals.length),
      n: residuals.length,
    }),
  ];
};

/** Titles of people on LinkedIn; a small world has fewer than there are. */
export const measureTitles = (reader: TruthReader): Measurement[] => {
  const rows = reader.read('decision-makers', []);
  const titles = new Set(rows.map((row) => row.title)).size;
  const languages = new Set(rows.map((row) => row.title_language)).size;
  return [
    inBand('titles on LinkedIn', titles, Math.min(300, rows.length / 4), Infinity, rows.length),
    inBand('languages of titles', languages, 6, Infinity, rows.length),
  ];
};
