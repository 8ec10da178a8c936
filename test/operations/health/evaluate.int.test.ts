import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import {
  acknowledgeAlarm,
  evaluateAlarms,
  type Held,
  readEvaluation,
  readOpenAlarms,
} from '../../../src/operations/health/evaluate.ts';
import { readFacts } from '../../../src/operations/health/facts.ts';
import { MEASURES, measure } from '../../../src/operations/health/measures.ts';
import { listProcesses, processStopped, reportProcess } from '../../../src/operations/health/processes.ts';
import { readTrouble } from '../../../src/operations/health/trouble.ts';
import { openReadPool, type ReadPool } from '../../../src/read/read-pool.ts';
import { withSpace } from '../../../src/write/log/availability.ts';
import { LogUnavailableError } from '../../../src/write/log/port.ts';
import { createTestProgram, OPERATIONS, sighted, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
let lists: ReadPool;
beforeAll(async () => {
  program = await createTestProgram();
  lists = await openReadPool(program.database.url, 2);
});
afterAll(async () => {
  await lists.end();
  await program.close();
});

const held: Held = new Map();
/** Evaluates as if it were so much later. */
const evaluate = async (laterS: number) => {
  const nowMs = Date.now() + laterS * 1_000;
  const { db } = program.database;
  const { log, builds } = program;
  const measured = measure(await readFacts({ db, log, builds, lists, keyring: null }, nowMs));
  const news = await evaluateAlarms({ db, log }, measured, held, nowMs);
  return { measured, news: news.map(({ type, data }) => `${type} ${data.subject}`) };
};

const report = (id: string, roles: readonly string[]) =>
  reportProcess(program.database.db, {
    id,
    host: 'alpha',
    roles,
    requests: null,
    failed: null,
    disk_free: 2 ** 40,
    disk_hours_left: null,
    erasures: -1,
    console: null,
  });

describe('the service', () => {
  it('can read everything that it measures', async () => {
    await program.issueKey();
    await program.project();
    const { measured, news } = await evaluate(0);
    expect(Object.keys(measured).sort()).toEqual(MEASURES.map(({ name }) => name).sort());
    expect(Object.values(measured)).not.toContain(null);
    expect(news).toEqual([]);
  });

  it('raises what lags, shows it everywhere, and clears it once it has caught up', async () => {
    await program.append('x', 'nasa', sighted('nasa', new Date().toISOString()));
    await evaluate(200);
    const { news } = await evaluate(270);
    expect(news).toContain('AlarmRaised directory');
    const { db } = program.database;
    expect(await readTrouble(db)).toContainEqual(
      expect.stringMatching(/^ProjectionLagging since .*: directory is \d+ s behind the event log\.$/),
    );
    const ready = await program.get('/readyz', undefined, OPERATIONS);
    expect(ready.body.alarms).toContainEqual(
      expect.objectContaining({ alarm: 'ProjectionLagging', subject: 'directory', acknowledged: null }),
    );
    const metrics = await program.app.inject({ url: '/metrics', headers: OPERATIONS });
    expect(metrics.body).toMatch(/sightline_projection_lag_seconds\{projection="directory"\} 2\d\d/);
    expect(metrics.body).toMatch(/sightline_alarms\{alarm="ProjectionLagging",severity="page"\} [1-9]/);
    expect(metrics.body).toContain('sightline_measures_readable 1');

    const about = { alarm: 'ProjectionLagging', subject: 'directory', note: 'at it' };
    expect(await acknowledgeAlarm(program.log, about, Date.now())).toBe(1);
    expect(await acknowledgeAlarm(program.log, about, Date.now())).toBe(0);
    const open = await readOpenAlarms(program.log, Date.now());
    expect(open.find(({ subject }) => subject === 'directory')?.acknowledged?.note).toBe('at it');

    await program.project();
    expect((await evaluate(280)).news).toEqual([]);
    const cleared = await evaluate(345);
    expect(cleared.news).toContain('AlarmCleared directory');
    expect((await readEvaluation(db))?.alarms.filter(({ alarm }) => alarm === 'ProjectionLagging')).toEqual(
      [],
    );
  });

  it('knows its measures but raises nothing while the event log is away', async () => {
    const { db } = program.database;
    const before = await readEvaluation(db);
    const log = {
      ...program.log,
      readStream: () => Promise.reject(new LogUnavailableError('away')),
    };
    await expect(
      evaluateAlarms({ db, log }, { parked_streams: [{ subject: 'x', value: 1 }] }, new Map(), Date.now()),
    ).rejects.toThrow('away');
    const after = await readEvaluation(db);
    expect(after?.measures).toEqual({ parked_streams: [{ subject: 'x', value: 1 }] });
    expect(after?.alarms).toEqual(before?.alarms);
  });

  it('says which role no process has any more, once its process stopped or was silent', async () => {
    const { db } = program.database;
    await report('one', ['api', 'project']);
    await report('two', ['project']);
    await processStopped(db, 'two');
    expect(await readTrouble(db)).toEqual([]);
    await db.query(sql`update service.processes set seen_at = seen_at - interval '8 s' where id = 'one'`);
    expect(await readTrouble(db)).toEqual([
      expect.stringMatching(/^no process has the role api: the one on alpha was last heard of 8 s ago$/),
      expect.stringMatching(/^no process has the role project: the one on alpha stopped 0 s ago$/),
    ]);
    const ready = await program.get('/readyz', undefined, OPERATIONS);
    expect(ready.status).toBe(200);
    expect(ready.body.checks).toContainEqual(
      expect.objectContaining({ name: 'role project', ok: false, critical: false }),
    );
    await report('one', ['api', 'project']);
    expect(await readTrouble(db)).toEqual([]);
    await db.query(sql`update service.processes set seen_at = seen_at - interval '8 d'`);
    expect(await listProcesses(db)).toEqual([]);
  });
});

it('a log without space takes nothing, and can be read', async () => {
  let isFull = true;
  const log = withSpace(program.log, () => {
    if (isFull) throw new LogUnavailableError('no space left');
  });
  await expect(log.append('account-x:a', [], 'any')).rejects.toThrow('no space left');
  await expect(log.appendMany([])).rejects.toThrow('no space left');
  expect(await log.readStream('account-x:nasa')).not.toEqual([]);
  expect(await log.head()).toBeGreaterThan(0n);
  isFull = false;
  expect(await log.appendMany([])).toEqual([]);
});
