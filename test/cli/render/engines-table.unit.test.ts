import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { topScreen } from '../../../src/cli/commands/top.ts';
import { age, engineFields, engineLines, enginesTable } from '../../../src/cli/render/engines-table.ts';
import { platformOfSource, SOURCES } from '../../../src/kernel/platform.ts';
import type { EngineState } from '../../../src/read/engines.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 16, 30);

const engine = (key: EngineState['key'], more: Partial<EngineState> = {}): EngineState => ({
  key,
  platform: platformOfSource(key),
  status: 'healthy',
  row: null,
  pause: null,
  perMin: { '1m': 1_118, '1h': 1_116.4, '24h': 997.1 },
  requestsPerMin: 2_310,
  outcomes: { present: 66_900, 'unknown:timeout': 900 },
  successRate: 0.987,
  latencyMs: { p50: 412, p95: 12_987, p99: 13_204 },
  workers: 2,
  freshness: { p50_s: 41_250, p95_s: 698_450, p99_s: 900_000, target_s: 604_800 },
  catalogSize: 81_204_118,
  backlog: 1_410_220,
  oldestDueS: 73_200,
  pools: [
    {
      pool: `seed-${key}`,
      platform: 'x',
      rule: 'seed',
      share: 1,
      paused: false,
      members: 82_614,
      backlog: 1_410_220,
      oldestDueMs: NOW - 73_200_000,
      targetS: 604_800,
    },
  ],
  ...more,
});

const unknown = engine('marketplace', {
  status: 'idle',
  perMin: { '1m': null, '1h': null, '24h': null },
  requestsPerMin: null,
  outcomes: {},
  successRate: null,
  latencyMs: { p50: null, p95: null, p99: null },
  freshness: { p50_s: null, p95_s: null, p99_s: null, target_s: null },
  catalogSize: null,
  backlog: null,
  oldestDueS: null,
  pools: [],
});
const all = SOURCES.map((key) => (key === 'marketplace' ? unknown : engine(key)));
const widths = (text: string) => text.split('\n').map((line) => stringWidth(line));

it('a rest after failed readings has its end and its reason in the list and on the page of an engine', () => {
  const resting = engine('x', { pause: { until: '2026-11-22T08:31:00.000Z', why: 'timeout' } });
  expect(enginesTable([resting], 200)).toContain('rests until 08:31:00 UTC (timeout)');
  expect(engineFields(resting, '1h', NOW, 200)).toContain('engines resume ends it');
});

describe('the table of engines', () => {
  it('has a line per engine, within 100 columns', () => {
    const table = enginesTable(all, 100);
    expect(Math.max(...widths(table))).toBeLessThanOrEqual(100);
    const rows = table.split('\n').filter((line) => SOURCES.some((source) => line.startsWith(`${source} `)));
    expect(rows.map((row) => row.split(' ')[0])).toEqual(SOURCES);
    expect(rows[0]).toMatch(/healthy +1,118 +98\.7 %/);
  });

  it('shows unknown figures as unknown, not as zero', () => {
    const lines = enginesTable([unknown], 100).split('\n');
    const row = lines.find((line) => line.startsWith('marketplace')) ?? '';
    expect(row).toMatch(/^marketplace +idle +\? +\?/);
    expect(row).not.toContain('0');
  });
});

describe('one engine', () => {
  it('is shown with its alarm, pause and pools, in 100 columns', () => {
    const at = '2026-11-22T08:00:00.000Z';
    const row = {
      engine: 'x',
      reported_at: at,
      read_at: at,
      last_success_at: at,
      last_error: 'timeout',
      last_error_at: at,
      alarm: 'challenge',
      alarm_detail: 'asked whether it is human',
      alarm_at: at,
      paused_at: at,
      paused_why: 'until the proxies are back',
      rate_per_s: 2.5,
    };
    const text = engineFields(engine('x', { status: 'paused', row }), '1h', NOW, 100);
    expect(Math.max(...widths(text))).toBeLessThanOrEqual(100);
    for (const part of [
      'since 2026-11-22 08:00:00: until the proxies are back',
      'challenge, since 2026-11-22 08:00:00: asked whether it is human',
      '2.5 requests a second',
      'present 66,900, unknown:timeout 900',
      'seed-x',
    ])
      expect(text).toContain(part);
  });
});

describe('the screen of top', () => {
  it('fits a terminal of any height, with sums above the tables', () => {
    for (const rows of [10, 24, 60]) {
      const lines = topScreen(all, [], NOW, rows, 100).split('\n');
      expect(lines.length).toBeLessThan(rows);
      expect(lines[0]).toBe('08:16:30, 7 of 7 engines healthy, 9,871,540 due, the oldest since 20 h');
    }
  });

  it('counts the engine of a marketplace once a feed was read', () => {
    const reported = { reported_at: new Date(NOW).toISOString() } as NonNullable<EngineState['row']>;
    const fed = all.map((each) =>
      each.platform === null ? { ...each, status: 'healthy' as const, row: reported } : each,
    );
    expect(topScreen(fed, [], NOW, 24, 100)).toContain('8 of 8 engines healthy');
    const unfed = all.map((each) =>
      each.platform === null ? { ...each, status: 'idle' as const, row: null } : each,
    );
    expect(topScreen(unfed, [], NOW, 24, 100)).toContain('7 of 7 engines healthy');
  });

  it('prints a line per engine to a pipe, with names of figures', () => {
    const lines = engineLines(all, NOW).split('\n');
    expect(lines.length).toBe(SOURCES.length);
    expect(lines[0]).toBe(
      '2026-11-22T08:16:30Z x healthy reads_per_min=1118 success=0.987 due=1410220 oldest_due_s=73200 age_p95_s=698450 target_s=604800',
    );
    expect(lines.at(-1)).toContain('marketplace idle reads_per_min=? success=? due=?');
  });
});

it.each([
  [0, '0 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '120 min'],
  [7_200, '2 h'],
  [172_800, '2 d'],
  [null, ''],
])('an age of %s seconds is shown as "%s"', (s, text) => {
  expect(age(s)).toBe(text);
});
