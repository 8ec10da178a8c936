import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPools, poolHistory } from '../../../src/operations/pools/pools.ts';
import { explain, listRuns } from '../../../src/operations/research/findings.ts';
import { replayRun } from '../../../src/operations/research/replay.ts';
import { runOnce } from '../../../src/operations/research/research.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { createResearchProgram, type ResearchProgram } from '../../support/research.ts';

let test: ResearchProgram;
beforeAll(async () => {
  test = await createResearchProgram();
});
afterAll(() => test.close());

/** The run, or a pool's change, that comes after so many appends is not appended: the process has ended. */
const endingAfter = (program: Runtime, appends: number): Runtime => {
  let left = appends;
  const append: EventLog['append'] = (...args) => {
    if (left === 0) throw new Error('the process has ended');
    left--;
    return program.log.append(...args);
  };
  return { ...program, log: { ...program.log, append, readAll: program.log.readAll.bind(program.log) } };
};

const trigger = { trigger: 'operator', seed: 7 } as const;

describe('a research run that ends after any of its events', () => {
  it('is failed by the next run, its decisions are carried out once, and it can be replayed up to that event', {
    tags: 'long',
  }, async () => {
    const { program } = test;
    let appends = 1;
    for (; ; appends++) {
      const outcome = await runOnce(endingAfter(program, appends), trigger).catch(
        (error: Error) => error.message,
      );
      // Start, three pools, three decisions, three changes of pools, the end: it was not interrupted.
      if (typeof outcome !== 'string') break;
      expect(outcome).toBe('the process has ended');
      const [interrupted] = await listRuns(program, 1);
      expect(interrupted).toMatchObject({ status: 'running' });
      const id = interrupted?.run ?? '';
      await runOnce(program, { trigger: 'schedule' });
      const ended = (await listRuns(program, 50)).find(({ run }) => run === id);
      expect(ended).toMatchObject({ status: 'failed', failure: 'interrupted' });
      const { state } = await explain(program, id);
      for (const { decision, action, pool } of state.decided.filter((each) => each.action !== 'hold')) {
        const changes = (await poolHistory(program, pool)).filter(({ data }) => data.decision === decision);
        expect(changes, `${appends} ${pool} ${action}`).toHaveLength(1);
      }
      const { recorded, replayed, differing } = await replayRun(program, id);
      expect([replayed, differing]).toEqual([recorded, []]);
      // The next one decides as this one did.
      for (const { pool, share } of await listPools(program))
        if (share !== 1) await resetShare(program, pool);
    }
    expect(appends).toBe(11);
  });
});

/** Sets a share to one, an hour ago, so that limits do not hold the next run. */
const resetShare = async (program: Runtime, pool: string): Promise<void> => {
  const { tunePool } = await import('../../../src/operations/pools/change-pool.ts');
  await tunePool(program, pool, { share: 1 });
  await test.database.db.query(
    `update log.events set recorded_at = recorded_at - interval '2 hours' where stream = $1`,
    [`pool-${pool}`],
  );
};
