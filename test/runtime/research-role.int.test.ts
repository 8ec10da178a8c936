import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listRuns } from '../../src/operations/research/findings.ts';
import { startResearch } from '../../src/runtime/roles/research.ts';
import { createResearchProgram, type ResearchProgram } from '../support/research.ts';
import { until } from '../support/wait.ts';

type Role = ReturnType<typeof startResearch>;

let test: ResearchProgram;
let started: Role[];
beforeEach(async () => {
  test = await createResearchProgram();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((role) => role.stop()));
  await test.close();
});

/** The role as a process has it, with a run every second. */
const start = (): Role => {
  const { program } = test;
  const role = startResearch({ ...program, config: { ...program.config, RESEARCH_CRON: '* * * * * *' } });
  started.push(role);
  return role;
};

const STANDBY = 'standby: another process has the lease';
const detailOf = (role: Role) => role.check().detail;
const hasRun = (role: Role) => /^has the lease; last run at /.test(detailOf(role) ?? '');
const runs = () => listRuns(test.program, 100);

/** Connections that hold the lease of the schedule or wait for it. */
const askers = async (): Promise<number> => {
  const { rows } = await test.database.db.query(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'sightline lease research schedule'`,
  );
  return rows[0].n;
};

describe('the role research', () => {
  it('runs by schedule by itself', async () => {
    const role = start();
    await until('there is a run', async () => (await runs()).length > 0);
    await until('the role has noticed it', () => hasRun(role));
    expect((await runs()).at(-1)).toMatchObject({ trigger: 'schedule', status: 'completed', decisions: 3 });
  });

  it('runs in one of two processes, and in the other once that has stopped', { tags: 'long' }, async () => {
    const first = start();
    await until('the first has run', () => hasRun(first));
    const second = start();
    await until('the second waits for the lease', async () => (await askers()) === 2);
    const before = (await runs()).length;
    await until('the first has run three times more', async () => (await runs()).length >= before + 3);
    expect(hasRun(first)).toBe(true);
    expect(second.check()).toMatchObject({ ok: true, detail: STANDBY });
    await first.stop();
    const ended = (await runs()).length;
    await until('the second has run', () => hasRun(second));
    await until('there are more runs', async () => (await runs()).length > ended);
    expect(detailOf(first)).toBe(STANDBY);
  });
});
