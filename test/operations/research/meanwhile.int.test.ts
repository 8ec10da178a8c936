import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADVISORY_LOCKS } from '../../../src/kernel/postgres/advisory-locks.ts';
import { withLease } from '../../../src/kernel/postgres/lease.ts';
import { pausePool, tunePool } from '../../../src/operations/pools/change-pool.ts';
import { listPools, poolHistory } from '../../../src/operations/pools/pools.ts';
import {
  explain,
  findingNamed,
  listFindings,
  listRuns,
  review,
} from '../../../src/operations/research/findings.ts';
import { setLimits } from '../../../src/operations/research/limits.ts';
import { runOnce } from '../../../src/operations/research/research.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import {
  ageFindings,
  agePools,
  createResearchProgram,
  endingBefore,
  onceBefore,
  type ResearchProgram,
} from '../../support/research.ts';

let test: ResearchProgram;
let program: Runtime;
beforeEach(async () => {
  test = await createResearchProgram();
  program = test.program;
});
afterEach(() => test.close());

const OPTIONS = { trigger: 'operator', seed: 7 } as const;
const code = (code: string) => expect.objectContaining({ name: 'OperatorError', code });
const sharesOf = async () =>
  Object.fromEntries((await listPools(program)).map(({ pool, share }) => [pool, share]));
const EQUAL = { press: 1, fans: 1, shops: 1 };

/** A run that an operator does something beside, once it has read what it decides on. */
const runBeside = (work: () => Promise<unknown>) =>
  runOnce(onceBefore(program, 'ResearchRunStarted', work), OPTIONS);

/** A run whose process ends before an event. @returns its ID. */
const interrupted = async (before: string): Promise<string> => {
  await expect(runOnce(endingBefore(program, before), OPTIONS)).rejects.toThrow('the process has ended');
  return (await listRuns(program, 1))[0]?.run ?? '';
};

/** Changes of a pool by decisions of a run. */
const changesBy = async (run: string, pool: string) => {
  const { state } = await explain(program, run);
  const ids = new Set(state.decided.map(({ decision }) => decision));
  return (await poolHistory(program, pool)).filter(({ data }) => ids.has(data.decision as string));
};

describe('a pool that an operator changes while a run decides', () => {
  it('keeps the share that it was given', async () => {
    const { applied } = await runBeside(() => tunePool(program, 'press', { share: 0.1 }));
    expect(applied).toBe(2);
    expect(await sharesOf()).toEqual({ press: 0.1, fans: 0.5, shops: 0.5 });
  });

  it('is not changed once it is paused', async () => {
    await runBeside(() => pausePool(program, 'press', 'too dear'));
    expect(await sharesOf()).toEqual({ press: 1, fans: 0.5, shops: 0.5 });
  });

  it('keeps its share even if the next run finishes the decision', async () => {
    const run = await interrupted('pool-press');
    await tunePool(program, 'press', { share: 0.1 });
    await runOnce(program, OPTIONS);
    expect(await changesBy(run, 'press')).toEqual([]);
    expect((await sharesOf()).press).toBeLessThanOrEqual(0.2);
  });

  it('takes no decision twice, even if it got its old share back', async () => {
    const run = await interrupted('ResearchRunCompleted');
    expect(await sharesOf()).toEqual({ press: 2, fans: 0.5, shops: 0.5 });
    await tunePool(program, 'press', { share: 1 });
    await agePools(test.database, 2);
    await runOnce(program, OPTIONS);
    expect(await changesBy(run, 'press')).toHaveLength(1);
  });

  it('is not moved beyond the hourly limit by an earlier decision', async () => {
    const run = await interrupted('pool-press');
    await tunePool(program, 'press', { share: 0.3 });
    await tunePool(program, 'press', { share: 1 });
    await runOnce(program, OPTIONS);
    expect(await changesBy(run, 'press')).toEqual([]);
    expect((await sharesOf()).press).toBe(1);
  });
});

describe('limits that an operator sets while a run decides', () => {
  it('stop it from changing pools if it may only observe', async () => {
    const { applied } = await runBeside(() => setLimits(program, { observe_only: true }));
    expect(applied).toBe(0);
    expect(await sharesOf()).toEqual(EQUAL);
  });

  it('stop it from changing pools that it may no longer change', async () => {
    await runBeside(() => setLimits(program, { pools: ['fans'] }));
    expect(await sharesOf()).toEqual({ ...EQUAL, fans: 0.5 });
  });

  it('stop it from changing pools further than now allowed', async () => {
    const { applied } = await runBeside(() => setLimits(program, { limits: { share_factor_per_hour: 1.5 } }));
    expect(applied).toBe(0);
    expect(await sharesOf()).toEqual(EQUAL);
  });

  it('stop the next run from carrying out an interrupted one’s decisions', async () => {
    const run = await interrupted('pool-fans');
    await setLimits(program, { observe_only: true });
    await runOnce(program, OPTIONS);
    expect(await sharesOf()).toEqual(EQUAL);
    expect((await listRuns(program, 5)).find((each) => each.run === run)).toMatchObject({ status: 'failed' });
  });
});

describe('a finding that is reviewed during its run', () => {
  it('does not end the run', async () => {
    const dismissed = async () => {
      const [finding] = await listFindings(program, 1);
      await review(program, finding?.id ?? '', { status: 'dismissed', reason: 'known' });
    };
    const { run, applied } = await runOnce(onceBefore(program, 'ExpansionDecided', dismissed), OPTIONS);
    expect(applied).toBe(3);
    expect((await listRuns(program, 1))[0]).toMatchObject({ run, status: 'completed', decisions: 3 });
    expect((await listFindings(program, 1))[0]).toMatchObject({ status: 'dismissed', reason: 'known' });
  });
});

describe('a finding that lasts for more than a day', () => {
  /** Days pass, once the read model has what was recorded. */
  const wait = async (days: number) => {
    await listFindings(program, 1);
    await ageFindings(test.database, days);
  };
  const found = async () => (await runOnce(program, OPTIONS)).findings[0]?.finding ?? '';

  it('is superseded by the next one', async () => {
    const old = await found();
    await wait(2);
    const next = await found();
    expect(await findingNamed(program, old)).toMatchObject({ status: 'superseded', successor: next });
    expect(await findingNamed(program, next)).toMatchObject({ status: 'open' });
  });

  it('is superseded at any age, with all earlier open ones', async () => {
    const old = await found();
    await wait(2);
    // Recorded, and its process ended before it superseded the one before.
    await interrupted('FindingSuperseded');
    const [second] = await listFindings(program, 1);
    await wait(20);
    expect((await listFindings(program, 5)).map(({ status }) => status)).toEqual(['open', 'open']);
    const { findings } = await runOnce(program, OPTIONS);
    const [third] = findings;
    // The interrupted run is finished first.
    expect(await findingNamed(program, old)).toMatchObject({ status: 'superseded', successor: second?.id });
    expect(await findingNamed(program, second?.id ?? '')).toMatchObject({
      status: 'superseded',
      successor: third?.finding,
    });
  });

  it('is superseded by that of a run that ended right after recording it', async () => {
    const old = await found();
    await wait(2);
    await interrupted('ExpansionDecided');
    const [next] = await listFindings(program, 1);
    expect(next?.id).not.toBe(old);
    await runOnce(program, OPTIONS);
    expect(await findingNamed(program, old)).toMatchObject({ status: 'superseded', successor: next?.id });
    expect(await findingNamed(program, next?.id ?? '')).toMatchObject({ status: 'open' });
  });

  it('stays confirmed when it is found again', async () => {
    const old = await found();
    await review(program, old, { status: 'confirmed', reason: 'true' });
    await wait(2);
    expect(await found()).not.toBe('');
    expect(await findingNamed(program, old)).toMatchObject({ status: 'confirmed' });
  });
});

describe('a run that loses its lease', () => {
  it('appends nothing more', async () => {
    const lost = async () => {
      await test.database.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'sightline lease research run' and datname = current_database()`,
      );
      // Another process takes it.
      const lease = { kind: ADVISORY_LOCKS.RESEARCH_LEASE, name: 'research run' };
      await withLease(program.url, lease, AbortSignal.timeout(30_000), async () => undefined);
    };
    const run = runOnce(onceBefore(program, 'ExpansionDecided', lost), OPTIONS);
    await expect(run).rejects.toEqual(code('research_lease_lost'));
    const [only] = await listRuns(program, 2);
    expect(only).toMatchObject({ status: 'running' });
    expect((await explain(program, only?.run ?? '')).state.decided).toHaveLength(1);
    expect(await sharesOf()).toEqual(EQUAL);
  });
});

describe('the clock of a run', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is the database’s: a clock that steps forward does not lift the hourly limits', async () => {
    await runOnce(program, OPTIONS);
    expect(await sharesOf()).toEqual({ press: 2, fans: 0.5, shops: 0.5 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    await runOnce(program, OPTIONS);
    expect(await sharesOf()).toEqual({ press: 2, fans: 0.5, shops: 0.5 });
  });

  it('is read at each append: a run ends later than it starts, and changes pools later', async () => {
    const { run } = await runOnce(program, OPTIONS);
    const [row] = await listRuns(program, 1);
    const startedMs = Date.parse(row?.started_at ?? '');
    expect(Date.parse(row?.finished_at ?? '')).toBeGreaterThan(startedMs);
    const [change] = await changesBy(run, 'press');
    expect(Date.parse(change?.at ?? '')).toBeGreaterThan(startedMs);
  });

  it('counts the last hour by the log’s recording times', async () => {
    await runOnce(program, OPTIONS);
    await agePools(test.database, 2);
    await runOnce(program, OPTIONS);
    expect((await sharesOf()).press).toBeGreaterThan(2);
  });
});
