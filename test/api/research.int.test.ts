import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV5, uuidV7 } from '../../src/kernel/ids.ts';
import { LIMITS_STREAM, researchStream } from '../../src/write/research/research.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';

const AT = Date.UTC(2026, 10, 22, 8, 17);
const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const LIMITS = { limits: { floor: 0.1 }, pools: null, observe_only: false };

let program: TestProgram;
let key: string;
/** Runs, the oldest first: three that ended, one that failed, one that is running. */
let runs: readonly string[];

const append = async (run: string, type: string, data: object, at = AT): Promise<void> => {
  const event = { id: uuidV7(at), type, data: { at: iso(at), ...data } };
  await program.log.append(run === 'limits' ? LIMITS_STREAM : researchStream(run), [event], 'any');
};

const findingId = (run: string, kind: string): string => uuidV5(`finding ${run} ${kind}`);

const found = (run: string, kind: string, subject: string, evidence: readonly string[], at: number) =>
  append(
    run,
    'FindingRecorded',
    {
      ...{
        finding: findingId(run, kind),
        kind,
        subject,
        summary: `${kind} of ${subject}`,
        metrics: { alpha: 0.001 },
      },
      ...{ confidence: 0.99, decision: null, evidence },
    },
    at,
  );

const started = (run: string, at: number) =>
  append(
    run,
    'ResearchRunStarted',
    {
      ...{ run, trigger: 'schedule', seed: 7, policy: 'discounted-thompson-2', as_of: null, builds: {} },
      ...{ ...LIMITS, limits_set: null },
    },
    at,
  );

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
  runs = Array.from({ length: 5 }, (_, n) => uuidV7(AT + n * HOUR));
  const alarm = uuidV7(AT);
  const data = { at: iso(AT), platform: 'x', reason: 'challenge', detail: 'all', worker: 'w' };
  await program.log.append('engine-x', [{ id: alarm, type: 'EngineDegraded', data }], 'any');
  await append('limits', 'ResearchLimitsSet', LIMITS);
  for (const [n, run] of runs.entries()) {
    const at = AT + n * HOUR;
    await started(run, at);
    const evaluated = { platform: 'x', figures: { share: 1 }, evidence: [], settings: null, draws: [1.5] };
    await append(run, 'PoolEvaluated', { pool: 'press', ...evaluated }, at);
    await found(run, 'pool_yield', 'press', [], at);
    await found(run, 'engine_fault', 'x', [alarm, uuidV7(AT)], at);
    if (n === 4) continue;
    const decision = uuidV5(`decision ${run}`);
    const decided = { decision, pool: 'press', action: 'expand', tuning: { share: 2 }, heir: null };
    await append(run, 'ExpansionDecided', decided, at);
    if (n === 3) await append(run, 'ResearchRunFailed', { reason: 'interrupted', detail: 'kill' }, at);
    else await append(run, 'ResearchRunCompleted', { pools: 1, findings: 2, decisions: 1 }, at + 1_000);
  }
  const [first = ''] = runs;
  await append(
    first,
    'FindingDismissed',
    { finding: findingId(first, 'engine_fault'), reason: 'maintenance' },
    AT + 9,
  );
  await program.project();
});
afterAll(() => program.close());

const get = (path: string) => program.get(`/v2/research${path}`, key);

/** All rows of a list, page by page. */
const allOf = async (path: string, limit: number) => {
  const rows: { id: string; position: string; type: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await get(`${path}limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  return rows;
};

describe('listFindings', () => {
  it('has the newest findings first, each once, in pages of any size', async () => {
    const all = await allOf('/findings?', 3);
    expect(all).toHaveLength(10);
    expect(new Set(all.map(({ id }) => id)).size).toBe(10);
    expect(all.map(({ id }) => id)).toEqual((await allOf('/findings?', 100)).map(({ id }) => id));
    expect((await get('/findings?limit=1')).body.data[0]).toMatchObject({
      run_id: runs[4],
      kind: 'engine_fault',
    });
  });

  it('is filtered by kind, run, pool, status and time', async () => {
    const [first = '', second = ''] = runs;
    const idsOf = async (query: string) => (await allOf(`/findings?${query}&`, 100)).map(({ id }) => id);
    expect(await idsOf('kind=pool_yield')).toHaveLength(5);
    expect((await idsOf(`run=${second}`)).toSorted()).toEqual(
      ['engine_fault', 'pool_yield'].map((kind) => findingId(second, kind)).toSorted(),
    );
    expect(await idsOf('pool=press')).toHaveLength(5);
    expect(await idsOf('pool=x')).toEqual([]);
    expect(await idsOf('status=dismissed')).toEqual([findingId(first, 'engine_fault')]);
    expect(await idsOf(`since=${iso(AT + 3 * HOUR)}`)).toHaveLength(4);
    expect(await idsOf(`until=${iso(AT + HOUR)}&kind=pool_yield`)).toEqual([findingId(first, 'pool_yield')]);
    expect((await get('/findings?kind=other')).status).toBe(400);
  });

  it('needs the plan growth or higher', async () => {
    const starter = await program.issueKey(['accounts:read'], { holder: 'small', plan: 'starter' });
    expect((await program.get('/v2/research/findings', starter)).status).toBe(403);
  });
});

describe('getFinding', () => {
  it('has the positions of its evidence, as far as the log has these events', async () => {
    const [first = ''] = runs;
    const { body } = await get(`/findings/${findingId(first, 'engine_fault')}`);
    const { rows } = await program.database.db.query(
      `select position::text from log.events where type = 'EngineDegraded'`,
    );
    expect(body.data).toMatchObject({
      run_id: first,
      subject: 'x',
      evidence: [rows[0].position],
      status: 'dismissed',
      review: { at: expect.any(String), superseded_by: null },
    });
    expect(body.meta.cache_age_s).toEqual(expect.any(Number));
  });

  it('answers 404 for an unknown ID', async () => {
    const { status, body } = await get('/findings/nope');
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });
});

describe('listRuns', () => {
  it('has what each run did, and whether it ended', async () => {
    const { body } = await get('/runs');
    expect(body.data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
      runs.map((run, n) => [run, n === 4 ? 'running' : n === 3 ? 'failed' : 'completed']).toReversed(),
    );
    expect(body.data[4]).toMatchObject({
      started_at: iso(AT),
      finished_at: iso(AT + 1_000),
      ...{ seed: 7, pools_evaluated: 1, findings: 2, expansions: 1, decisions: 1, failure: null },
    });
    expect(body.data[0]).toMatchObject({ finished_at: null });
  });

  it('is filtered by status and time', async () => {
    expect((await get('/runs?status=failed')).body.data).toMatchObject([
      { id: runs[3], failure: 'interrupted' },
    ]);
    expect((await get(`/runs?since=${iso(AT + 4 * HOUR)}`)).body.data).toMatchObject([{ id: runs[4] }]);
  });
});

describe('listResearchEvents', () => {
  it('has all events in log order, limits included, and resumes after the last one', async () => {
    const { body } = await get('/events?limit=100');
    const positions = body.data.map(({ position }: { position: string }) => Number(position));
    expect(positions).toEqual(positions.toSorted((a: number, b: number) => a - b));
    expect(body.data[0]).toMatchObject({ run_id: null, type: 'ResearchLimitsSet' });
    expect(body.data[1]).toMatchObject({ run_id: runs[0], type: 'ResearchRunStarted', data: { seed: 7 } });
    expect(body.meta.next_cursor).toBeNull();
    const cursor = body.meta.resume_cursor;
    expect((await get(`/events?cursor=${cursor}`)).body.data).toEqual([]);
    const [, , , , last = ''] = runs;
    await append(last, 'ResearchRunFailed', { reason: 'interrupted', detail: 'kill' }, AT + 5 * HOUR);
    await program.project();
    expect((await get(`/events?cursor=${cursor}`)).body.data).toMatchObject([
      { run_id: last, type: 'ResearchRunFailed' },
    ]);
  });

  it('is filtered by run, pool, type and time', async () => {
    const [first = ''] = runs;
    const typesOf = async (query: string) => (await allOf(`/events?${query}&`, 2)).map(({ type }) => type);
    expect(await typesOf(`run=${first}&pool=press`)).toEqual(['PoolEvaluated', 'ExpansionDecided']);
    expect(await typesOf(`run=${first}&type=FindingDismissed`)).toEqual(['FindingDismissed']);
    expect(await typesOf(`type=ResearchRunStarted&since=${iso(AT + 4 * HOUR)}`)).toEqual([
      'ResearchRunStarted',
    ]);
  });

  it('starts and ends with the period, however many events lie outside', async () => {
    const [DAY, MANY] = [24 * HOUR, 10_500];
    const old = uuidV7(AT + 10 * DAY);
    const evaluated = {
      pool: 'fans',
      platform: 'x',
      figures: { share: 1 },
      evidence: [],
      settings: null,
      draws: [1],
    };
    for (let from = 0; from < MANY; from += 500)
      await program.log.append(
        researchStream(old),
        Array.from({ length: 500 }, () => ({
          id: uuidV7(AT),
          type: 'PoolEvaluated',
          data: { at: iso(AT + 10 * DAY), ...evaluated },
        })),
        'any',
      );
    const last = uuidV7(AT + 20 * DAY);
    await started(last, AT + 20 * DAY);
    // A review says a little later what an hour before it was: its time is not that of its neighbours.
    await append(last, 'ResearchRunFailed', { reason: 'interrupted', detail: 'kill' }, AT + 20 * DAY - HOUR);
    await program.project();
    const page = async (query: string) => {
      const { body } = await get(`/events?limit=100&${query}`);
      return [body.data.map(({ type }: { type: string }) => type), body.meta.next_cursor === null];
    };
    expect(await page(`since=${iso(AT + 20 * DAY)}`)).toEqual([['ResearchRunStarted'], true]);
    expect(await page(`since=${iso(AT + 20 * DAY - HOUR)}`)).toEqual([
      ['ResearchRunStarted', 'ResearchRunFailed'],
      true,
    ]);
    expect(await page(`since=${iso(AT + 21 * DAY)}`)).toEqual([[], true]);
    expect(await page(`type=ResearchRunFailed&since=${iso(AT + 9 * DAY)}`)).toEqual([
      ['ResearchRunFailed'],
      true,
    ]);
    const [before, isWhole] = await page(`until=${iso(AT + DAY)}`);
    expect(before).toContain('ResearchLimitsSet');
    expect(isWhole).toBe(true);
    const { rows } = await program.database.db.query(
      `select count(*)::int as n from ${program.builds.schema('research')}.events where run = $1`,
      [old],
    );
    expect(rows).toEqual([{ n: MANY }]);
  });
});
