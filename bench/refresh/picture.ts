import { FIXED, FUTURE, ORACLE, OURS, type WorldResult } from './compare.ts';
import { errorsOf } from './judge.ts';

const ROW = 30;
const LEFT = 210;
const WIDTH = 760;
const TOP = 66;
const PLOT = WIDTH - LEFT - 40;
/** Mean error relative to fixed intervals, logarithmic. */
const TICKS = [0.5, 0.7, 1, 2, 4, 8];
const [LOW, HIGH] = [0.5, 8];

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const relative = (result: WorldResult, policy: string): number =>
  total(errorsOf(result, policy)) / total(errorsOf(result, FIXED));

const x = (ratio: number): number => {
  const share = Math.log(Math.min(HIGH, Math.max(LOW, ratio)) / LOW) / Math.log(HIGH / LOW);
  return Math.round((LEFT + share * PLOT) * 10) / 10;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Policies by mean error relative to fixed intervals: a large dot for the first world, a small one for each other. */
export const pictureOf = (worlds: readonly WorldResult[], caption: string): string => {
  const [first] = worlds;
  if (first === undefined) throw new RangeError('a picture needs a world');
  const policies = Object.keys(first.outcomes).toSorted((a, b) => relative(first, a) - relative(first, b));
  const bottom = TOP + policies.length * ROW;
  const colorOf = (policy: string): string =>
    policy === OURS ? '#0b6e4f' : policy === ORACLE || policy === FUTURE ? '#8a8a8a' : '#b5533c';
  const rows = policies.map((policy, n) => {
    const y = TOP + n * ROW + ROW / 2;
    const color = colorOf(policy);
    const ratio = relative(first, policy);
    const others = worlds
      .slice(1)
      .map(
        (each) =>
          `<circle cx="${x(relative(each, policy))}" cy="${y}" r="3" fill="${color}" opacity="0.35"/>`,
      );
    return [
      `<text x="${LEFT - 12}" y="${y + 4}" text-anchor="end"${policy === OURS ? ' font-weight="bold"' : ''}>${escaped(policy)}</text>`,
      ...others,
      `<circle cx="${x(ratio)}" cy="${y}" r="6" fill="${color}"/>`,
      `<text x="${x(ratio) + 10}" y="${y - 6}" font-size="11" fill="${color}">${Math.round(ratio * 100)} %</text>`,
    ].join('\n  ');
  });
  const ticks = TICKS.map(
    (tick) =>
      `<line x1="${x(tick)}" y1="${TOP}" x2="${x(tick)}" y2="${bottom}" stroke="${tick === 1 ? '#444' : '#ddd'}"/>
  <text x="${x(tick)}" y="${bottom + 18}" text-anchor="middle" font-size="11">${tick * 100} %</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + 54}" viewBox="0 0 ${WIDTH} ${bottom + 54}" font-family="sans-serif" font-size="13" fill="#222">
  <title>Mean error of followers served, by policy of refreshing</title>
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="16" y="24" font-size="15" font-weight="bold">Mean error of followers served, relative to fixed intervals</text>
  <text x="16" y="44" font-size="11">Same requests. Large dots: world ${first.hash}; small ones: ${worlds.length - 1} drawn worlds.</text>
  ${ticks.join('\n  ')}
  ${rows.join('\n  ')}
  <text x="16" y="${bottom + 42}" font-size="11">${escaped(caption)}</text>
</svg>
`;
};
