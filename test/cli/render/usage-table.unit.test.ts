import { describe, expect, it } from 'vitest';
import { barOf, linesTable } from '../../../src/cli/render/usage-table.ts';

const usage = (units: bigint, overage = 0n) => ({
  requests: 2n,
  refused: 1n,
  budget_units: units,
  overage_units: overage,
  overage_micro_usd: overage * 3_500n,
  live_calls: 0n,
});

describe('a bar', () => {
  it('is proportional to an eighth of a character, and never empty for a positive value', () => {
    expect(barOf(0n, 100n)).toBe('');
    expect(barOf(100n, 100n)).toBe('█'.repeat(20));
    expect(barOf(50n, 100n)).toBe('█'.repeat(10));
    expect(barOf(51n, 160n)).toBe(`${'█'.repeat(6)}▍`);
    expect(barOf(1n, 1_000_000n)).toBe('▏');
    expect(barOf(0n, 0n)).toBe('');
  });
});

describe('a table of usage', () => {
  it('has a total, right-aligned figures, and bars by day', () => {
    const lines = linesTable(
      ['day', 'key'],
      [
        { by: ['2026-11-01', 'key_1'], ...usage(1_000n) },
        { by: ['2026-11-02', 'key_1'], ...usage(400n, 100n) },
      ],
      120,
    ).split('\n');
    expect(lines).toEqual([
      'day (UTC)   key    requests  refused  live calls  units  overage units  overage, dollars',
      '──────────  ─────  ────────  ───────  ──────────  ─────  ─────────────  ────────────────  ────────────────────',
      '2026-11-01  key_1         2        1           0  1,000              0              0.00  ████████████████████',
      '2026-11-02  key_1         2        1           0    500            100              0.35  ██████████',
      '──────────  ─────  ────────  ───────  ──────────  ─────  ─────────────  ────────────────  ────────────────────',
      'total                     4        2           0  1,500            100              0.35',
    ]);
  });

  it('has no bars without a column of days, and exact sums beyond 2^53', () => {
    const table = linesTable(['key'], [{ by: ['key_1'], ...usage(9_007_199_254_740_993n) }]);
    expect(table).toContain('9,007,199,254,740,993');
    expect(table).not.toMatch(/█/);
  });
});
