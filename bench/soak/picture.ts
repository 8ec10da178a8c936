import type { Measured } from './flatness.ts';
import type { SoakPlan } from './plan.ts';
import type { Samples } from './samples.ts';

const WIDTH = 940;
const LEFT = 60;
const RIGHT = 250;
const PLOT = WIDTH - LEFT - RIGHT;
const HEIGHT = 220;
const GAP = 54;
const COLORS = ['#0b6e4f', '#b5533c', '#3c6eb5', '#8a6d1b', '#7a3fa0', '#2f8f9d', '#555555', '#c2448a'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const round = (value: number): number => Math.round(value * 10) / 10;

/** A panel of lines over the time of the soak, those of an instance connected; the largest are named beside it. */
const panel = (
  title: string,
  top: number,
  lengthS: number,
  measured: ReadonlyMap<string, readonly Measured[]>,
): string => {
  const peak = ([, values]: readonly [string, readonly Measured[]]) =>
    Math.max(...values.map(({ value }) => value));
  const series = [...measured]
    .filter(([, values]) => values.length > 0)
    .toSorted((a, b) => peak(b) - peak(a))
    .slice(0, COLORS.length);
  const most = Math.max(1, ...series.map(peak));
  const x = (atS: number) => round(LEFT + (Math.min(lengthS, Math.max(0, atS)) / lengthS) * PLOT);
  const y = (value: number) => round(top + HEIGHT - (value / most) * HEIGHT);
  const lines = series.flatMap(([name, values], n) => {
    const color = COLORS[n] as string;
    const ones = [...Map.groupBy(values, ({ instance }) => instance).values()].map(
      (one) =>
        `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${one.map(({ atS, value }) => `${x(atS)},${y(value)}`).join(' ')}"/>`,
    );
    const label = `<text x="${LEFT + PLOT + 12}" y="${top + 14 + n * 18}" fill="${color}">${escaped(name)}</text>`;
    return [...ones, label];
  });
  const ticks = [0, 0.5, 1].map(
    (
      share,
    ) => `<line x1="${LEFT}" y1="${y(share * most)}" x2="${LEFT + PLOT}" y2="${y(share * most)}" stroke="#ddd"/>
  <text x="${LEFT - 8}" y="${y(share * most) + 4}" text-anchor="end" font-size="11">${round(share * most)}</text>`,
  );
  return [
    `<text x="${LEFT}" y="${top - 10}" font-weight="bold">${escaped(title)}</text>`,
    ...ticks,
    ...lines,
  ].join('\n  ');
};

/** Memory of each process and sizes of working tables over the soak, above the kills and the faults. */
export const pictureOf = (samples: Samples, plan: SoakPlan, caption: string): string => {
  const { lengthS, kills, faults } = plan;
  const memoryTop = 60;
  const tablesTop = memoryTop + HEIGHT + GAP;
  const strikesTop = tablesTop + HEIGHT + 34;
  const height = strikesTop + 92;
  const x = (atS: number) => round(LEFT + (atS / lengthS) * PLOT);
  const struck = kills.map(
    ({ atS, victim }) =>
      `<line x1="${x(atS)}" y1="${strikesTop}" x2="${x(atS)}" y2="${strikesTop + 16}" stroke="#b5533c"><title>${victim}</title></line>`,
  );
  const spells = faults.map(
    ({ fromS, toS, kind, share }) =>
      `<rect x="${x(fromS)}" y="${strikesTop + 24}" width="${round(x(toS) - x(fromS))}" height="16" fill="#3c6eb5" opacity="${round(0.15 + share * 0.35)}"><title>${kind}</title></rect>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" fill="#222">
  <title>Memory and working tables during a soak</title>
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="16" y="24" font-size="15" font-weight="bold">A soak: memory of processes and sizes of working tables</text>
  ${panel('Resident memory, MB', memoryTop, lengthS, samples.memory)}
  ${panel('Working tables with indexes, MB', tablesTop, lengthS, samples.tables)}
  ${struck.join('\n  ')}
  <text x="${LEFT + PLOT + 12}" y="${strikesTop + 13}">kills and stops</text>
  ${spells.join('\n  ')}
  <text x="${LEFT + PLOT + 12}" y="${strikesTop + 37}">faults of platforms</text>
  <text x="${LEFT}" y="${strikesTop + 60}" font-size="11">0</text>
  <text x="${LEFT + PLOT}" y="${strikesTop + 60}" text-anchor="end" font-size="11">${Math.round(lengthS)} s</text>
  <text x="16" y="${strikesTop + 80}" font-size="11">${escaped(caption)}</text>
</svg>
`;
};
