import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tunePool } from '../../../src/operations/pools/change-pool.ts';
import { listFindings, listRuns } from '../../../src/operations/research/findings.ts';
import { createTestHome, type TestHome } from '../../support/cli.ts';
import { faultCount } from '../../support/faults.ts';
import { ageFindings, createResearchProgram, type ResearchProgram } from '../../support/research.ts';
import { until } from '../../support/wait.ts';

let test: ResearchProgram;
let home: TestHome;
beforeAll(async () => {
  test = await createResearchProgram();
  home = await createTestHome({ LOG_LEVEL: 'warn', DATABASE_URL: test.database.url });
});
afterAll(async () => {
  await home.remove();
  await test.close();
});

/** A lock that the test holds: the append of the event after so many waits for it. */
const LOCK = 4_711;

const query = async (text: string) => (await test.database.db.query(text)).rows;

/** Appends of research and pools wait once there are so many events more than now. */
const blockAfter = (events: number) =>
  query(`
    create table test_gate as select count(*) + ${events} as most from log.events;
    create function test_gate() returns trigger language plpgsql as $$ begin
      if (select count(*) from log.events) >= (select most from test_gate) then
        perform pg_advisory_xact_lock(${LOCK});
      end if;
      return new;
    end $$;
    create trigger test_gate before insert on log.events for each row execute function test_gate()`);

const unblock = () =>
  query('drop trigger test_gate on log.events; drop function test_gate(); drop table test_gate');

const WAITING = `select pid from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.objid = ${LOCK} and not l.granted and a.datname = current_database()`;

const decided = () =>
  query(`select data->>'decision' as id from log.events
    where type = 'ExpansionDecided' and data->>'action' <> 'hold'`);

const carriedOut = () =>
  query(`select data->>'decision' as id, count(*)::int as n from log.events
    where stream like 'pool-%' and data->>'decision' is not null group by 1`);

/** Kills a run whose event after so many waits. @returns whether it waited. */
const killAfter = async (events: number): Promise<boolean> => {
  const holder = await test.database.db.connect();
  await blockAfter(events);
  try {
    await holder.query('select pg_advisory_lock($1)', [LOCK]);
    const run = home.start(['research', 'run', '--seed', '7']);
    const isWaiting = async () => (await query(WAITING)).length > 0 || run.child.exitCode !== null;
    await until('the run waits, or has ended', isWaiting);
    const isKilled = run.child.exitCode === null;
    await run.end('SIGKILL');
    // Its statement is rolled back: a killed client does not end it by itself.
    await query(`select pg_terminate_backend(pid) from (${WAITING}) w`);
    await until('its statement has ended', async () => (await query(WAITING)).length === 0);
    return isKilled;
  } finally {
    await holder.query('select pg_advisory_unlock($1)', [LOCK]);
    holder.release();
    await unblock();
  }
};

const runsThat = async (status: 'running' | 'failed') =>
  (await listRuns(test.program, 100)).filter((run) => run.status === status);

const openFindings = async () =>
  (await listFindings(test.program, 100)).filter(({ status }) => status === 'open');

const superseded = () =>
  query(`select data->>'finding' as id, count(*)::int as n from log.events
    where type = 'FindingSuperseded' group by 1`);

/** A day later: neither the finding nor the limits of the hour hold the next run, and shares are equal. */
const nextDay = async () => {
  for (const pool of ['press', 'fans', 'shops']) await tunePool(test.program, pool, { share: 1 });
  await query(
    `update log.events set recorded_at = recorded_at - interval '1 day' where stream like 'pool-%'`,
  );
  await ageFindings(test.database, 2);
};

describe('research that is killed', () => {
  it('is failed by the next run, which carries out once what it had decided', {
    tags: ['faults'],
  }, async () => {
    // A finding that those of all runs supersede.
    expect(await home.run(['research', 'run', '--seed', '7'])).toMatchObject({ code: 0 });
    await nextDay();
    // Start, three pools, a finding, three decisions, its predecessor superseded, three changes of pools: killed behind each.
    const points = faultCount(12, 3);
    for (let kill = 0; kill < points; kill++) {
      const events = (points === 12 ? kill + 1 : [5, 7, 11][kill]) as number;
      const before = (await runsThat('failed')).length;
      expect(await killAfter(events), `the run has more than ${events} events`).toBe(true);
      const next = await home.run(['research', 'run', '--seed', '7', '--json']);
      expect(next, next.err).toMatchObject({ code: 0 });
      expect(await runsThat('running')).toEqual([]);
      expect(await runsThat('failed')).toHaveLength(before + 1);
      const changes = await carriedOut();
      expect(changes.filter(({ n }) => n !== 1)).toEqual([]);
      const ids = new Set(changes.map(({ id }) => id));
      expect((await decided()).filter(({ id }) => !ids.has(id))).toEqual([]);
      // One finding is open, and each other one was superseded once.
      expect(await openFindings()).toHaveLength(1);
      expect((await superseded()).filter(({ n }) => n !== 1)).toEqual([]);
      await nextDay();
    }
  });
});
