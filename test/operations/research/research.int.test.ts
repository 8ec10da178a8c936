import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { tunePool } from '../../../src/operations/pools/change-pool.ts';
import { listPools, poolHistory } from '../../../src/operations/pools/pools.ts';
import {
  explain,
  findingNamed,
  listFindings,
  listRuns,
  review,
} from '../../../src/operations/research/findings.ts';
import { readLimits, setLimits } from '../../../src/operations/research/limits.ts';
import { replayRun } from '../../../src/operations/research/replay.ts';
import { runOnce } from '../../../src/operations/research/research.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { DEFAULT_LIMITS } from '../../../src/write/research/policy.ts';
import { createResearchProgram, type ResearchProgram } from '../../support/research.ts';

let test: ResearchProgram;
let program: Runtime;
beforeAll(async () => {
  test = await createResearchProgram();
  program = test.program;
});
afterAll(() => test.close());

const code = (code: string) => expect.objectContaining({ name: 'OperatorError', code });
const run = (more: Partial<Parameters<typeof runOnce>[1]> = {}) =>
  runOnce(program, { trigger: 'operator', seed: 7, ...more });
const sharesOf = async () =>
  Object.fromEntries((await listPools(program)).map(({ pool, share }) => [pool, share]));
const EQUAL = { press: 1, fans: 1, shops: 1 };
const events = async (type: string) =>
  (await test.database.db.query('select data from log.events where type = $1', [type])).rows;

describe('a trial run of research', () => {
  it('prints what it would find and decide, and changes nothing', async () => {
    const { applied, decisions, findings } = await run({ dryRun: true });
    expect(applied).toBeNull();
    expect(decisions.map(({ pool, action }) => `${pool} ${action}`).toSorted()).toEqual([
      'fans shrink',
      'press expand',
      'shops shrink',
    ]);
    expect(findings.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(['pool_yield press']);
    expect(await sharesOf()).toEqual(EQUAL);
    expect(await events('ResearchRunStarted')).toEqual([]);
  });
});

describe('research that only observes', () => {
  it('records findings and decisions, and changes no pool', async () => {
    await setLimits(program, { observe_only: true });
    const { run: id, applied } = await run();
    expect(applied).toBe(0);
    expect(await sharesOf()).toEqual(EQUAL);
    expect((await listRuns(program, 1))[0]).toMatchObject({
      run: id,
      status: 'completed',
      observe_only: true,
    });
    await setLimits(program, { observe_only: false });
  });
});

describe('a run of research', () => {
  it('moves requests to the pool that discovers most, by decisions that the pools cite', async () => {
    const { run: id, applied } = await run();
    expect(applied).toBe(3);
    expect(await sharesOf()).toEqual({ press: 2, fans: 0.5, shops: 0.5 });
    const { state } = await explain(program, id);
    const [decided] = state.decided.filter(({ pool }) => pool === 'press');
    expect((await poolHistory(program, 'press')).at(-1)).toMatchObject({
      type: 'PoolTuned',
      data: { decision: decided?.decision, share: 2 },
    });
    expect(state.pools.find(({ pool }) => pool === 'press')?.evidence.length).toBe(30);
    const { rows } = await test.database.db.query(
      `select position::text as counted from log.events where id = $1`,
      [state.started?.as_of],
    );
    const { builds } = state.started ?? {};
    expect(Object.keys(builds ?? {}).toSorted()).toEqual([
      'directory',
      'frontier',
      'pool_stats',
      'pools',
      'research',
    ]);
    expect(Number(builds?.pool_stats)).toBeGreaterThanOrEqual(Number(rows[0].counted));
  });

  it('changes no share further within the same hour, and none that an operator set beyond the limit', async () => {
    await run();
    expect(await sharesOf()).toEqual({ press: 2, fans: 0.5, shops: 0.5 });
    await tunePool(program, 'shops', { share: 0.1 });
    const { decisions } = await run();
    const shops = decisions.find(({ pool }) => pool === 'shops')?.tuning.share ?? 0.1;
    expect(shops).toBeGreaterThanOrEqual(0.1);
    expect(shops).toBeLessThanOrEqual(0.2);
  });

  it('touches only the pools that it may change', async () => {
    await setLimits(program, { pools: ['fans', 'shops'], limits: { share_factor_per_hour: 100 } });
    const before = await sharesOf();
    const { decisions } = await run();
    expect(decisions.find(({ pool }) => pool === 'press')).toMatchObject({ action: 'hold', tuning: {} });
    const after = await sharesOf();
    expect(after.press).toBe(before.press);
    expect((after.fans ?? 0) + (after.shops ?? 0)).toBeCloseTo((before.fans ?? 0) + (before.shops ?? 0), 3);
    await setLimits(program, { pools: null, limits: { share_factor_per_hour: 2 } });
  });

  it('records the active limits, and refuses contradictory ones', async () => {
    expect(await readLimits(program)).toEqual({ limits: DEFAULT_LIMITS, pools: null, observe_only: false });
    await expect(setLimits(program, { limits: { floor: 2 } })).rejects.toEqual(code('argument_invalid'));
    await expect(setLimits(program, { pools: ['nope'] })).rejects.toEqual(code('pool_unknown'));
    const [newest] = await listRuns(program, 1);
    const { state } = await explain(program, newest?.run ?? '');
    expect(state.started).toMatchObject({ pools: ['fans', 'shops'], limits: { share_factor_per_hour: 100 } });
  });
});

describe('a finding', () => {
  it('is recorded once while it lasts, with its evidence', async () => {
    const found = await listFindings(program, 10);
    expect(found.map(({ kind, subject, status }) => `${kind} ${subject} ${status}`)).toEqual([
      'pool_yield press open',
    ]);
    const [finding] = found;
    expect(finding?.evidence.length).toBeGreaterThan(20);
    expect(finding?.evidence_positions).toHaveLength(finding?.evidence.length ?? 0);
    const { rows } = await test.database.db.query(
      `select distinct type from log.events where position = any($1::bigint[]) and id = any($2::uuid[])`,
      [finding?.evidence_positions, finding?.evidence],
    );
    expect(rows).toEqual([{ type: 'CrawlBatchCompleted' }]);
  });

  it('is explained by itself and by its run, which explains no finding', async () => {
    const [finding] = await listFindings(program, 1);
    const { id = '', run: of = '', evidence, metrics, summary } = finding ?? {};
    const explained = await explain(program, id);
    expect(explained.finding).toMatchObject({
      finding: id,
      ...{ kind: 'pool_yield', subject: 'press', summary, evidence, metrics },
    });
    const ofRun = await explain(program, of);
    expect(explained).toMatchObject({ run: of, state: ofRun.state });
    expect(ofRun).toMatchObject({ run: of, finding: null });
    expect(ofRun.state.pools.map(({ pool }) => pool).toSorted()).toEqual(['fans', 'press', 'shops']);
    for (const unknown of ['nope', uuidV7(0)])
      await expect(explain(program, unknown)).rejects.toEqual(code('research_unknown'));
  });

  it('is confirmed, dismissed or superseded with a reason, and not repeated while dismissed', async () => {
    const [finding] = await listFindings(program, 1);
    const id = finding?.id ?? '';
    const reason = 'planned';
    await expect(review(program, id, { status: 'confirmed', reason: ' ' })).rejects.toEqual(
      code('reason_missing'),
    );
    expect(await review(program, id, { status: 'confirmed', reason })).toBe(true);
    expect(await review(program, id, { status: 'confirmed', reason })).toBe(false);
    expect(await review(program, id, { status: 'superseded', reason, successor: id })).toBe(true);
    expect(await findingNamed(program, id)).toMatchObject({ status: 'superseded', successor: id });
    expect(await review(program, id, { status: 'dismissed', reason })).toBe(true);
    expect(await findingNamed(program, id)).toMatchObject({ status: 'dismissed', reason, successor: null });
    expect((await run()).findings).toEqual([]);
    await expect(findingNamed(program, 'nope')).rejects.toEqual(code('research_unknown'));
  });
});

describe('a replay', () => {
  it('decides every run again to the byte', async () => {
    for (const { run: id } of await listRuns(program, 25)) {
      const { recorded, replayed, differing } = await replayRun(program, id);
      expect(replayed).toBe(recorded);
      expect(replayed.length).toBeGreaterThan(100);
      expect(differing).toEqual([]);
    }
  });

  it('names the differing input: a draw, figure, setting or limit that the log contradicts', async () => {
    const { run: id } = await run();
    const change = (type: string, path: string, value: string) =>
      test.database.db.query(
        `update log.events set data = jsonb_set(data::jsonb, $2::text[], $3::jsonb)::json
         where type = $1 and stream = $4 and (data->>'pool' = 'press' or $1 <> 'PoolEvaluated')`,
        [type, path, value, `research-${id}`],
      );
    await change('PoolEvaluated', '{figures,discovered}', '12345');
    const changed = await replayRun(program, id);
    expect(changed.differing).toContainEqual(
      expect.stringMatching(/^figure discovered of press: recorded 12345, the log gives \d/),
    );
    await change('PoolEvaluated', '{draws,0}', '1e9');
    expect((await replayRun(program, id)).differing).toContain('draws of press');
    for (const [name, given] of [
      ['share', 2],
      ['share_least', 1],
      ['share_greatest', 2],
      ['size_cap', 1_000_000],
      ['size_cap_least', 1_000_000],
      ['may_change', 1],
    ] as const) {
      await change('PoolEvaluated', `{figures,${name}}`, '7');
      expect((await replayRun(program, id)).differing).toContain(
        `figure ${name} of press: recorded 7, the log gives ${given}`,
      );
    }
    await change('PoolEvaluated', '{settings}', `"${uuidV7(0)}"`);
    expect((await replayRun(program, id)).differing).toContain(
      'settings of press: the log has no such event',
    );
    for (const [path, value, text] of [
      ['{limits,floor}', '0.2', 'limit floor: recorded 0.2, the log gives 0.1'],
      ['{limits,half_life_h}', '30', 'limit half_life_h: recorded 30, the log gives 24'],
      ['{pools}', '["press"]', 'limit pools: recorded ["press"], the log gives null'],
      ['{observe_only}', 'true', 'limit observe_only: recorded true, the log gives false'],
      ['{limits_set}', `"${uuidV7(0)}"`, 'limits: the log has no such event'],
      ['{as_of}', `"${uuidV7(0)}"`, 'as_of: the log has no such event'],
    ] as const) {
      await change('ResearchRunStarted', path, value);
      expect((await replayRun(program, id)).differing).toContain(text);
    }
    await change('ResearchRunCompleted', '{pools}', '2');
    expect((await replayRun(program, id)).differing).toContain('pools: 2 were evaluated, the log has 3');
    await change('ResearchRunStarted', '{limits,floor}', '7');
    expect((await replayRun(program, id)).differing).toEqual(['limits: floor']);
    await change('ResearchRunStarted', '{policy}', '"other-1"');
    await expect(replayRun(program, id)).rejects.toEqual(code('policy_unknown'));
    await expect(replayRun(program, 'nope')).rejects.toEqual(code('research_unknown'));
  });
});
