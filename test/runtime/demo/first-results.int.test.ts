import { afterEach, describe, expect, it } from 'vitest';
import { listRuns } from '../../../src/operations/research/findings.ts';
import { runOnce } from '../../../src/operations/research/research.ts';
import { runUntilFound } from '../../../src/runtime/demo/first-data.ts';
import {
  createResearchProgram,
  endingBefore,
  type ResearchProgram,
  type Yields,
} from '../../support/research.ts';
import { until } from '../../support/wait.ts';

const ALIKE: Yields = { press: () => 4, fans: () => 4, shops: () => 4 };
const HOUR_MS = 3_600_000;
const NO_PAUSE = { everyMs: 1, forMs: HOUR_MS };

let test: ResearchProgram;
afterEach(() => test.close());

const runs = () => listRuns(test.program, 100);

describe('the demo’s research', () => {
  it('ends with the first run that finds something, and says what', async () => {
    test = await createResearchProgram();
    const found: string[] = [];
    await runUntilFound(
      test.program,
      new AbortController().signal,
      (summary) => void found.push(summary),
      NO_PAUSE,
    );
    expect(found).toEqual([expect.stringContaining('press')]);
    expect(await runs()).toMatchObject([{ trigger: 'operator', findings: 1 }]);
  });

  it('tells of what a scheduled run found before its own', async () => {
    test = await createResearchProgram();
    await runOnce(test.program, { trigger: 'schedule' });
    const found: string[] = [];
    await runUntilFound(
      test.program,
      new AbortController().signal,
      (each) => void found.push(each),
      NO_PAUSE,
    );
    expect(found).toEqual([expect.stringContaining('press')]);
    expect(await runs()).toMatchObject([{ trigger: 'schedule', findings: 1 }]);
  });

  it('tells of what a run found that failed afterwards', async () => {
    test = await createResearchProgram();
    const failing = endingBefore(test.program, 'ResearchRunCompleted');
    const found: string[] = [];
    await runUntilFound(failing, new AbortController().signal, (each) => void found.push(each), NO_PAUSE);
    expect(found).toEqual([expect.stringContaining('press')]);
  });

  it('runs again while nothing is found, until it is stopped or its time is over', async () => {
    test = await createResearchProgram(30, ALIKE);
    const stop = new AbortController();
    const found: string[] = [];
    const research = runUntilFound(
      test.program,
      stop.signal,
      (summary) => void found.push(summary),
      NO_PAUSE,
    );
    await until('there are three runs', async () => (await runs()).length >= 3);
    stop.abort();
    await research;
    const before = (await runs()).length;
    const late = { everyMs: 1, forMs: 0 };
    await runUntilFound(
      test.program,
      new AbortController().signal,
      (summary) => void found.push(summary),
      late,
    );
    expect(await runs()).toHaveLength(before + 1);
    expect(found).toEqual([]);
  });
});
