import { ORACLE, OURS, type WorldResult } from './simulate.ts';

const [WIDTH, HEIGHT] = [760, 400];
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 190, 66, 60];
const COLORS = ['#b5533c', '#c98a1b', '#6a5acd', '#0b6e4f'];

/** Mean over seeds of what the oracle found more, by hour. */
const regretOf = (result: WorldResult, policy: string): readonly number[] => {
  const [theirs, best] = [result[policy] ?? [], result[ORACLE] ?? []];
  const hours = best[0]?.length ?? 0;
  return Array.from(
    { length: hours },
    (_, hour) =>
      best.reduce((sum, course, n) => sum + (course[hour] as number) - (theirs[n]?.[hour] as number), 0) /
      best.length,
  );
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The largest of 1, 2, 5 × 10^n ticks that leaves at least four. */
const stepOf = (most: number): number => {
  const decade = 10 ** Math.floor(Math.log10(most));
  return ([1, 0.5, 0.2, 0.1].find((part) => most / (part * decade) >= 4) ?? 0.1) * decade;
};

/** Regret over time: accounts that each policy found less than the oracle, mean over seeds. */
export const pictureOf = (result: WorldResult, hash: string, caption: string): string => {
  const policies = Object.keys(result).filter((policy) => policy !== ORACLE);
  const regrets = policies.map((policy) => ({ policy, regret: regretOf(result, policy) }));
  const hours = regrets[0]?.regret.length ?? 1;
  const most = Math.max(1, ...regrets.flatMap(({ regret }) => regret));
  const x = (hour: number) => Math.round((LEFT + ((WIDTH - LEFT - RIGHT) * hour) / hours) * 10) / 10;
  const y = (value: number) =>
    Math.round((HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / most) * 10) / 10;
  const step = stepOf(most);
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step).map(
    (value) =>
      `<line x1="${LEFT}" y1="${y(value)}" x2="${WIDTH - RIGHT}" y2="${y(value)}" stroke="#ddd"/>
  <text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end" font-size="11">${value.toLocaleString('en-US')}</text>`,
  );
  const weeks = Array.from({ length: Math.floor(hours / 168) + 1 }, (_, week) => week).map(
    (week) =>
      `<text x="${x(week * 168)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle" font-size="11">week ${week}</text>`,
  );
  const lines = regrets.map(({ policy, regret }, n) => {
    const color = policy === OURS ? '#0b6e4f' : (COLORS[n % COLORS.length] as string);
    const points = regret.flatMap((value, hour) =>
      hour % 6 === 5 || hour === hours - 1 ? [`${x(hour + 1)},${y(value)}`] : [],
    );
    const end = regret.at(-1) ?? 0;
    return `<polyline points="${x(0)},${y(0)} ${points.join(' ')}" fill="none" stroke="${color}" stroke-width="${policy === OURS ? 3 : 1.6}"/>
  <text x="${WIDTH - RIGHT + 8}" y="${y(end) + 4}" font-size="11" fill="${color}"${policy === OURS ? ' font-weight="bold"' : ''}>${escaped(policy)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">
  <title>Regret of policies that divide requests among pools, over time</title>
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="16" y="24" font-size="15" font-weight="bold">Regret: new accounts found less than by the oracle</text>
  <text x="16" y="44" font-size="11">World ${hash}. Mean over seeds, since the beginning.</text>
  ${ticks.join('\n  ')}
  ${weeks.join('\n  ')}
  ${lines.join('\n  ')}
  <text x="16" y="${HEIGHT - 14}" font-size="11">${escaped(caption)}</text>
</svg>
`;
};
