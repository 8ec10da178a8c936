import { describe, expect, it } from 'vitest';
import {
  differencesOf,
  type Figures,
  type Ledger,
  type LedgerPeriod,
  type SettledEvent,
} from '../../../src/read/metering.ts';

const figures = (changes: Partial<Figures> = {}): Figures => ({
  requests: 12n,
  budget_units: 10n,
  overage_units: 2n,
  overage_micro_usd: 2_000n,
  live_calls: 1n,
  ...changes,
});

const period = (changes: Partial<LedgerPeriod> = {}): LedgerPeriod => ({
  holder: 'acme',
  period: 1,
  state: 'published',
  plan: 'growth',
  started_at: '2026-11-01T00:00:00.000Z',
  ended_at: '2026-12-01T00:00:00.000Z',
  recorded: figures(),
  summed: figures(),
  lines: 3,
  ...changes,
});

const running = (changes: Partial<LedgerPeriod> = {}) => period({ period: 2, state: 'running', ...changes });

const event = (changes: Partial<SettledEvent> = {}): SettledEvent => ({
  holder: 'acme',
  period: 1,
  position: 5n,
  plan: 'growth',
  started_at: '2026-11-01T00:00:00.000Z',
  ended_at: '2026-12-01T00:00:00.000Z',
  figures: figures(),
  ...changes,
});

/** A holder with a settled and a running period, 5,000 credited and 4,000 charged. */
const ledger = (changes: Partial<Ledger> = {}): Ledger => ({
  holders: [{ holder: 'acme', credited: 5_000n, charged: 4_000n }],
  periods: [period(), running()],
  reservations: [],
  credits: new Map([['acme', 5_000n]]),
  settled: [event()],
  head: 9n,
  ...changes,
});

const found = (changes: Partial<Ledger>) =>
  differencesOf(ledger(changes)).map(({ what, expected, found: is }) => `${what}: ${expected}, not ${is}`);

describe('a ledger', () => {
  it('that adds up has no differences', () => {
    expect(differencesOf(ledger())).toEqual([]);
    expect(
      differencesOf(
        ledger({
          holders: [{ holder: 'new', credited: 0n, charged: null }],
          periods: [],
          credits: new Map(),
          settled: [],
        }),
      ),
    ).toEqual([]);
  });

  it.each(['requests', 'budget_units', 'overage_units', 'overage_micro_usd', 'live_calls'] as const)(
    'names %s of the running period that differ from its lines',
    (name) => {
      expect(found({ periods: [period(), running({ recorded: figures({ [name]: 77n }) })] })).toEqual([
        `running period 2, against its ledger entries: ${name}: ${figures()[name]}, not 77`,
      ]);
    },
  );

  it('names an ended period without lines, and lines without a period', () => {
    expect(found({ periods: [period({ state: 'ended', summed: null }), running()], settled: [] })).toEqual([
      'ended period 1, against its ledger entries: requests: 0, not 12',
      'ended period 1, against its ledger entries: budget_units: 0, not 10',
      'ended period 1, against its ledger entries: overage_units: 0, not 2',
      'ended period 1, against its ledger entries: overage_micro_usd: 0, not 2000',
      'ended period 1, against its ledger entries: live_calls: 0, not 1',
      'charged_micro_usd, against all ledger entries: 2000, not 4000',
    ]);
    expect(found({ periods: [period(), running({ state: null, recorded: null })] })).toEqual([
      'period 2: a running or ended period, not none',
    ]);
  });

  it('names charges that differ from the lines, also of unknown holders', () => {
    expect(found({ holders: [{ holder: 'acme', credited: 5_000n, charged: 3_999n }] })).toEqual([
      'charged_micro_usd, against all ledger entries: 4000, not 3999',
    ]);
    expect(found({ holders: [{ holder: 'acme', credited: 5_000n, charged: null }] })).toEqual([
      'charged_micro_usd, against all ledger entries: 4000, not none',
    ]);
  });

  it('names credits that differ from the log, and a holder that is only in the log', () => {
    expect(found({ credits: new Map([['acme', 5_001n]]) })).toEqual([
      'credit_micro_usd, against the log: 5001, not 5000',
    ]);
    expect(
      differencesOf(
        ledger({
          credits: new Map([
            ['acme', 5_000n],
            ['lost', 1n],
          ]),
        }),
      ),
    ).toEqual([
      { holder: 'lost', what: 'credit_micro_usd, against the log', expected: '1', found: 'no holder' },
    ]);
  });

  it('names a negative balance', () => {
    expect(
      found({
        holders: [{ holder: 'acme', credited: 3_999n, charged: 4_000n }],
        credits: new Map([['acme', 3_999n]]),
      }),
    ).toEqual(['balance, micro-dollars: 0 or more, not -1']);
  });

  it('names a published period whose event is missing, duplicate, or different', () => {
    expect(found({ settled: [] })).toEqual(['UsageSettled of period 1: 1 event, not none']);
    expect(found({ settled: [event(), event({ position: 6n })] })).toEqual([
      'UsageSettled of period 1: 1 event, not 2 events',
    ]);
    expect(found({ settled: [event({ plan: 'free', figures: figures({ live_calls: 0n }) })] })).toEqual([
      'UsageSettled of period 1: plan: growth, not free',
      'UsageSettled of period 1: live_calls: 1, not 0',
    ]);
  });

  it('accepts an unpublished settled period, but not a wrong event', () => {
    const periods = [period({ state: 'settled' }), running()];
    expect(found({ periods, settled: [] })).toEqual([]);
    expect(found({ periods, settled: [event({ figures: figures({ requests: 1n }) })] })).toEqual([
      'UsageSettled of period 1: requests: 12, not 1',
    ]);
  });

  it('names an event without a settled period, unless it came while the rows were read', () => {
    const stray = event({ period: 2, position: 9n });
    expect(found({ settled: [event(), stray] })).toEqual([
      'UsageSettled of period 2 at position 9: a settled period, not running',
    ]);
    expect(found({ settled: [event(), { ...stray, period: 3 }] })).toEqual([
      'UsageSettled of period 3 at position 9: a settled period, not none',
    ]);
    expect(found({ settled: [event(), { ...stray, position: 10n }] })).toEqual([]);
  });

  it('names reservations beyond their line’s charge', () => {
    const reserved = figures({ requests: 0n, budget_units: 5n, overage_units: 0n, overage_micro_usd: 0n });
    const reservation = { holder: 'acme', period: 2, line: '2026-11-20 key_1 checkAccountLive', reserved };
    expect(found({ reservations: [{ ...reservation, used: figures() }] })).toEqual([]);
    expect(found({ reservations: [{ ...reservation, used: figures({ budget_units: 4n }) }] })).toEqual([
      'reserved in period 2, 2026-11-20 key_1 checkAccountLive: budget_units: at most 4, not 5',
    ]);
    expect(found({ reservations: [{ ...reservation, used: null }] })).toHaveLength(2);
  });

  it('is compared exactly where numbers would not be', () => {
    const big = 9_007_199_254_740_993n;
    expect(
      found({
        periods: [
          running({
            recorded: figures({ budget_units: big }),
            summed: figures({ budget_units: big - 1n, overage_micro_usd: 4_000n }),
          }),
          period({
            recorded: figures({ overage_micro_usd: 0n }),
            summed: figures({ overage_micro_usd: 0n }),
          }),
        ],
        settled: [event({ figures: figures({ overage_micro_usd: 0n }) })],
      }),
    ).toEqual([
      'running period 2, against its ledger entries: budget_units: 9007199254740992, not 9007199254740993',
      'running period 2, against its ledger entries: overage_micro_usd: 4000, not 2000',
    ]);
  });
});
