import type { Result } from './records.ts';
import { covers } from './summary.ts';

const [LEFT, TOP, WIDTH, HEIGHT] = [64, 60, 560, 320];
/** So many accounts are drawn: more would be a surface. */
const DRAWN = 120;

export interface PictureOptions {
  readonly title: string;
  readonly caption: string;
  readonly isLog: boolean;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

const tickText = (value: number): string =>
  Math.abs(value) >= 1_000 ? value.toExponential(0) : String(Number(value.toPrecision(2)));

/** Accounts sampled at even steps of the order of their true values. */
const drawnOf = (all: readonly Result[]): readonly Result[] => {
  const sorted = all.toSorted((a, b) => a.truth - b.truth);
  const n = Math.min(DRAWN, sorted.length);
  return Array.from({ length: n }, (_, i) => sorted[Math.floor((i * sorted.length) / n)] as Result);
};

/** Intervals of accounts in the order of their true values: one line an account, dark if it holds the true value. */
export const caterpillarOf = (all: readonly Result[], { title, caption, isLog }: PictureOptions): string => {
  const drawn = drawnOf(all);
  const scaled = (value: number): number => (isLog ? Math.log10(Math.max(value, 1e-9)) : value);
  const truths = drawn.map(({ truth }) => scaled(truth));
  const reach = drawn.map(({ low, high }) => scaled(high) - scaled(low)).sort((a, b) => a - b);
  // The widest tenth would flatten all others.
  const room = reach[Math.floor(reach.length * 0.9)] ?? 1;
  const [least, most] = [Math.min(...truths) - room / 1.5, Math.max(...truths) + room / 1.5];
  const y = (value: number): number =>
    rounded(TOP + HEIGHT * (1 - (Math.min(most, Math.max(least, scaled(value))) - least) / (most - least)));
  const x = (i: number): number => rounded(LEFT + (WIDTH * (i + 0.5)) / drawn.length);
  const lines = drawn.map((one, i) => {
    const colour = covers(one) ? '#0b6e4f' : '#c0392b';
    return `<line x1="${x(i)}" y1="${y(one.low)}" x2="${x(i)}" y2="${y(one.high)}" stroke="${colour}" stroke-width="2" opacity="0.55"/>
  <circle cx="${x(i)}" cy="${y(one.value as number)}" r="1.8" fill="${colour}"/>`;
  });
  const truth = drawn.map((one, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(one.truth)}`).join(' ');
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = least + share * (most - least);
    const value = isLog ? 10 ** at : at;
    return `<line x1="${LEFT}" y1="${y(value)}" x2="${LEFT + WIDTH}" y2="${y(value)}" stroke="#ddd"/>
  <text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end" font-size="11">${tickText(value)}</text>`;
  });
  const share = (100 * all.filter(covers).length) / Math.max(1, all.length);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 24}" height="${TOP + HEIGHT + 50}" viewBox="0 0 ${LEFT + WIDTH + 24} ${TOP + HEIGHT + 50}" font-family="sans-serif" font-size="13" fill="#222">
  <title>${title}</title>
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="16" y="24" font-size="15" font-weight="bold">${title}</text>
  <text x="16" y="44" font-size="11">${drawn.length} of ${all.length} accounts; ${share.toFixed(1)} % of the 95 % intervals hold the true value (black); the others are red.</text>
  ${ticks.join('\n  ')}
  ${lines.join('\n  ')}
  <path d="${truth}" fill="none" stroke="#111" stroke-width="1.2"/>
  <text x="16" y="${TOP + HEIGHT + 34}" font-size="11">${caption}</text>
</svg>
`;
};
