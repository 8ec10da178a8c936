import type { Bin } from './judge.ts';

const [LEFT, TOP, SIDE] = [64, 60, 360];
const WIDTH = LEFT + SIDE + 40;
const HEIGHT = TOP + SIDE + 70;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

const x = (share: number): number => Math.round((LEFT + share * SIDE) * 10) / 10;
const y = (share: number): number => Math.round((TOP + (1 - share) * SIDE) * 10) / 10;

/** The reliability diagram: how often what was stated with a confidence was right; areas of dots are counts. */
export const pictureOf = (bins: readonly Bin[], error: number, caption: string): string => {
  const total = bins.reduce((sum, { n }) => sum + n, 0);
  const ticks = TICKS.map(
    (tick) => `<line x1="${x(tick)}" y1="${y(0)}" x2="${x(tick)}" y2="${y(1)}" stroke="#ddd"/>
  <line x1="${x(0)}" y1="${y(tick)}" x2="${x(1)}" y2="${y(tick)}" stroke="#ddd"/>
  <text x="${x(tick)}" y="${y(0) + 18}" text-anchor="middle" font-size="11">${tick}</text>
  <text x="${x(0) - 8}" y="${y(tick) + 4}" text-anchor="end" font-size="11">${tick}</text>`,
  );
  const dots = bins.map(
    ({ confidence, right, n }) =>
      `<circle cx="${x(confidence)}" cy="${y(right)}" r="${(2.5 + 14 * Math.sqrt(n / total)).toFixed(1)}" fill="#0b6e4f" opacity="0.75"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">
  <title>Reliability of the confidence that an account is of its person</title>
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="16" y="24" font-size="15" font-weight="bold">Stated confidence, and share that was right</text>
  <text x="16" y="44" font-size="11">Expected calibration error ${(100 * error).toFixed(2)} %, ${total} accounts.</text>
  ${ticks.join('\n  ')}
  <line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#8a8a8a" stroke-dasharray="4 3"/>
  ${dots.join('\n  ')}
  <text x="16" y="${HEIGHT - 14}" font-size="11">${caption}</text>
</svg>
`;
};
