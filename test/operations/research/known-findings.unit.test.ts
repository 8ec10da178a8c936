import { describe, expect, it } from 'vitest';
import { isoOf } from '../../../src/kernel/clock.ts';
import { newFindings } from '../../../src/operations/research/finish.ts';
import type { LastFinding } from '../../../src/read/research/runs.ts';
import type { Finding } from '../../../src/write/research/findings.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 17);
const DAY = 86_400_000;

const found: Finding = {
  kind: 'pool_yield',
  subject: 'press',
  metrics: {},
  evidence: [],
  summary: 'press discovers much',
  confidence: 0.999,
};

const last = (
  daysAgo: number,
  status: LastFinding['status'],
  reviewedDaysAgo: number | null = null,
): LastFinding => ({
  ...{ id: 'old', run: 'run', kind: 'pool_yield', subject: 'press', status },
  created_at: isoOf(NOW - daysAgo * DAY),
  reviewed_at: reviewedDaysAgo === null ? null : isoOf(NOW - reviewedDaysAgo * DAY),
});

const again = (known: readonly LastFinding[]) => newFindings([found], known, NOW);

describe('a repeated finding', () => {
  it('is recorded if none of its kind is recorded about its subject', () => {
    expect(again([])).toEqual([found]);
    expect(again([{ ...last(0.1, 'open'), subject: 'fans' }])).toHaveLength(1);
    expect(again([{ ...last(0.1, 'open'), kind: 'pool_stale' }])).toHaveLength(1);
  });

  it('is recorded once a day', () => {
    expect(again([last(0.9, 'open')])).toEqual([]);
    expect(again([last(1.1, 'open')])).toEqual([found]);
  });

  it('is recorded once a day even after an operator confirmed the last one', () => {
    expect(again([last(0.9, 'confirmed', 0.1)])).toEqual([]);
    expect(again([last(1.1, 'confirmed', 0.1)])).toEqual([found]);
  });

  it('is recorded a week after an operator dismissed it, whenever it was found', () => {
    expect(again([last(20, 'dismissed', 6.9)])).toEqual([]);
    expect(again([last(20, 'dismissed', 7.1)])).toHaveLength(1);
  });
});
