import { describe, expect, it } from 'vitest';
import { flatnessOf, type Measured } from '../../bench/soak/flatness.ts';
import {
  checksOf,
  EXPECTED,
  type Finished,
  flatChecks,
  incidentOf,
  isExpected,
  MEMORY_BOUND,
} from '../../bench/soak/judge.ts';
import { type Outcome, requestOf } from '../../bench/soak/load.ts';
import { countedLines, type Incident, lineOf, unexpectedLines } from '../../bench/soak/logs.ts';
import { pictureOf } from '../../bench/soak/picture.ts';
import { planOf, VICTIMS } from '../../bench/soak/plan.ts';
import { FAULT_KINDS, supports } from '../../infra/simulator/fault-kinds.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';

const SEEDS = [1, 2, 3, 4, 5];

describe('the plan of a soak', () => {
  it('is the same for the same seed, and differs between seeds', () => {
    expect(planOf(1, 600)).toEqual(planOf(1, 600));
    expect(planOf(1, 600)).not.toEqual(planOf(2, 600));
  });

  it.each([1, 2, 10, 30])('strikes each victim equally often in %i minutes, every few minutes', (minutes) => {
    for (const seed of SEEDS) {
      const { kills, struckFromS, struckToS } = planOf(seed, minutes * 60);
      const counts = VICTIMS.map((victim) => kills.filter((kill) => kill.victim === victim).length);
      expect(new Set(counts)).toEqual(new Set([Math.max(1, Math.round((struckToS - struckFromS) / 240))]));
    }
  });

  it.each([1, 2, 10, 30])(
    'has each kind of fault at some time in %i minutes, on platforms that have it',
    (minutes) => {
      for (const seed of SEEDS) {
        const { faults } = planOf(seed, minutes * 60);
        expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
        for (const { kind, platforms, fromS, toS, share } of faults) {
          expect(toS).toBeGreaterThan(fromS);
          expect(share).toBeGreaterThan(0);
          expect(platforms.length).toBeGreaterThan(0);
          expect(platforms.filter((platform) => !supports(platform, kind))).toEqual([]);
        }
      }
    },
  );

  it('never has one kind of fault twice at once', () => {
    for (const seed of SEEDS) {
      for (const { fromS, toS, kind } of planOf(seed, 1_800).faults) {
        const others = planOf(seed, 1_800).faults.filter(
          (other) => other.kind === kind && other.fromS !== fromS,
        );
        expect(others.filter((other) => other.fromS <= toS && other.toS >= fromS)).toEqual([]);
      }
    }
  });

  it('leaves time to start and recover, and strikes in order of time', () => {
    for (const seed of SEEDS) {
      const { kills, faults, lengthS } = planOf(seed, 600);
      const times = kills.map(({ atS }) => atS);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(Math.min(...times, ...faults.map(({ fromS }) => fromS))).toBeGreaterThanOrEqual(120);
      expect(Math.max(...times, ...faults.map(({ toS }) => toS))).toBeLessThanOrEqual(lengthS - 60);
    }
  });
});

/** A process measured every five seconds from `bornS` on. */
const series = (instance: string, bornS: number, n: number, valueAt: (ageS: number) => number): Measured[] =>
  Array.from({ length: n }, (_, i) => ({ atS: bornS + i * 5, value: valueAt(i * 5), instance }));

describe('flatness', () => {
  const options = { warmS: 60, bound: { share: 0.1, least: 10 } };

  it('is denied to steady growth within a process’s life', () => {
    const found = flatnessOf(
      series('a', 0, 61, (ageS) => 200 + ageS / 5),
      options,
    );
    expect(found).toMatchObject({ overS: 200, flat: false });
    expect(found.growth).toBeCloseTo(40);
    expect(found.allowed).toBeCloseTo(found.level * 0.1);
  });

  it('is granted to what grows at the start, peaks, and shrinks again', () => {
    const warming = series('a', 0, 61, (ageS) =>
      ageS < 60 ? 50 + ageS * 3 : 230 + (ageS % 50 === 0 ? 90 : 0),
    );
    expect(flatnessOf(warming, options)).toMatchObject({ flat: true, growth: 0 });
    expect(
      flatnessOf(
        series('a', 0, 61, (ageS) => 400 - ageS),
        options,
      ).flat,
    ).toBe(true);
  });

  it('ignores garbage before its collection, and counts what a collection leaves', () => {
    const garbage = (ageS: number) => (ageS > 350 && ageS % 20 > 0 ? 100 : 0);
    const heap = (leakPerS: number) => series('a', 0, 121, (ageS) => 200 + garbage(ageS) + ageS * leakPerS);
    expect(flatnessOf(heap(0), options)).toMatchObject({ growth: 0, flat: true });
    expect(flatnessOf(heap(0.2), options).flat).toBe(false);
  });

  it('treats the first third of a long life as warm-up', () => {
    const settling = series('a', 0, 121, (ageS) => 200 + Math.min(ageS, 200));
    expect(flatnessOf(settling, options)).toMatchObject({ growth: 0, overS: 400 });
  });

  it('sees growth in each life of a restarted process', () => {
    const lives = Array.from({ length: 5 }, (_, life) =>
      series(`${life}`, life * 200, 40, (ageS) => 200 + ageS / 5),
    ).flat();
    expect(flatnessOf(lives, options).flat).toBe(false);
  });

  it('ignores that a process starts larger than the last one', () => {
    const lives = [series('a', 0, 40, () => 200), series('b', 200, 40, () => 300)].flat();
    expect(flatnessOf(lives, options)).toMatchObject({ growth: 0, flat: true });
  });

  it('claims nothing where a process ends before it is warm', () => {
    expect(
      flatnessOf(
        series('a', 0, 5, () => 1),
        options,
      ).values,
    ).toBe(0);
    const trend = { warmS: 60, bound: MEMORY_BOUND, isLong: true };
    expect(flatChecks('memory', new Map([['api', series('a', 0, 5, () => 1)]]), trend)).toEqual([]);
  });

  it('fails a long soak alone', () => {
    const memory = new Map([['api', series('a', 0, 61, (ageS) => 200 + ageS)]]);
    const check = (isLong: boolean) =>
      flatChecks('memory', memory, { warmS: 60, bound: MEMORY_BOUND, isLong })[0];
    expect(check(true)?.ok).toBe(false);
    expect(check(false)).toMatchObject({ ok: true, wanted: 'a longer soak' });
  });
});

const error = (process: string, atS: number, msg: string) =>
  lineOf(process, atS, JSON.stringify({ level: 50, msg }));
const ENDED = 'the API process ended; restarting it';
const SILENT = 'the API process does not respond; killing it';

describe('lines of logs', () => {
  it('that are no JSON are errors, as the trace of a crash', () => {
    expect(lineOf('api', 1, 'Error: out of luck')).toMatchObject({ level: 50, msg: 'Error: out of luck' });
    expect(lineOf('api', 1, '{"level":"30"}').level).toBe(50);
    expect(lineOf('api', 1, '{"level":30,"msg":"well"}')).toMatchObject({ level: 30, msg: 'well' });
  });

  it('may be errors that follow from what was done to the process, for a time', () => {
    const incidents = [incidentOf('child', 100)];
    const lines = [error('whole', 101, ENDED), error('whole', 99, ENDED), error('whole', 200, ENDED)];
    expect(unexpectedLines(lines, incidents, EXPECTED)).toEqual(lines.slice(1));
    expect(unexpectedLines([error('api', 101, ENDED)], incidents, EXPECTED)).toHaveLength(1);
    expect(unexpectedLines([error('whole', 101, `${ENDED}!`)], incidents, EXPECTED)).toHaveLength(1);
  });

  it('expect an API that does not respond only where it was stopped', () => {
    const line = [error('whole', 110, SILENT)];
    expect(unexpectedLines(line, [incidentOf('hung child', 100)], EXPECTED)).toEqual([]);
    expect(unexpectedLines(line, [incidentOf('child', 100)], EXPECTED)).toEqual(line);
  });

  it('expect a runner to restart after its connections were ended, in any process', () => {
    const line = [error('project', 101, 'projection runner failed; restarting')];
    expect(unexpectedLines(line, [incidentOf('connections', 100)], EXPECTED)).toEqual([]);
    expect(unexpectedLines(line, [incidentOf('crawl', 100)], EXPECTED)).toEqual(line);
  });

  it('count warnings, which fail nothing', () => {
    const warning = lineOf('api', 1, '{"level":40,"msg":"slow"}');
    expect(unexpectedLines([warning], [], EXPECTED)).toEqual([]);
    expect(
      countedLines([warning, warning, error('api', 2, 'x'), lineOf('api', 3, '{"level":30,"msg":"a"}')]),
    ).toEqual([
      ['slow', 2],
      ['x', 1],
    ]);
  });
});

const handles = Object.fromEntries(
  PLATFORMS.map((platform) => [platform, ['ada', 'grace', 'edsger']]),
) as never;

describe('requests of the load', () => {
  it('are the same for the same seed', () => {
    for (const load of ['reads', 'live', 'few'] as const)
      for (let n = 0; n < 30; n++)
        expect(requestOf(load, 1, n, handles)).toEqual(requestOf(load, 1, n, handles));
  });

  it('are the same for the same idempotency key', () => {
    const keyed = Array.from({ length: 200 }, (_, n) => requestOf('live', 1, n, handles)).filter(
      ({ idempotencyKey }) => idempotencyKey !== undefined,
    );
    const bodies = Map.groupBy(keyed, ({ idempotencyKey }) => idempotencyKey);
    expect(bodies.size).toBe(3);
    for (const same of bodies.values())
      expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

const outcome = (status: number, more: Partial<Outcome> & { live?: boolean } = {}): Outcome => ({
  asked: { path: '/x', live: more.live ?? false },
  server: 'api',
  atS: 100,
  endS: 101,
  code: '',
  ...more,
  status,
});

describe('what a caller may receive', () => {
  const near: readonly Incident[] = [incidentOf('api', 95)];

  it.each([200, 402, 404, 409, 429])('includes %i as an answer', (status) => {
    expect(isExpected(outcome(status), [])).toBe(true);
  });

  it.each([400, 401, 403, 500])('never includes %i for a valid request', (status) => {
    expect(isExpected(outcome(status, { live: true }), near)).toBe(false);
  });

  it('includes failures of a platform for live reads', () => {
    expect(isExpected(outcome(504, { live: true }), [])).toBe(true);
    expect(isExpected(outcome(504), [])).toBe(false);
  });

  it('includes silence of a server that was just killed, and of no other', () => {
    expect(isExpected(outcome(0), near)).toBe(true);
    expect(isExpected(outcome(0), [])).toBe(false);
    expect(isExpected(outcome(0, { server: 'whole' }), near)).toBe(false);
    expect(isExpected(outcome(0, { atS: 300, endS: 301 }), near)).toBe(false);
  });

  it('includes a sample that is too small, and no other unprocessable input', () => {
    expect(isExpected(outcome(422, { code: 'insufficient_data' }), [])).toBe(true);
    expect(isExpected(outcome(422, { code: 'idempotency_mismatch' }), [])).toBe(false);
  });
});

const WELL: Finished = {
  activity: {
    events: { AccountSighted: 9, ResearchRunCompleted: 1, LadderComputed: 1 },
    gaps: 0,
    parked: 0,
    expiredResponses: 0,
    deadlocks: 0,
    builds: 1,
    projections: ['directory'],
  },
  audit: { differences: [], holders: 2, periods: 2, settled: 1, lines: 9 },
  remaining: { reservations: 0, behind: { directory: 0 } },
  verified: new Map([['directory', { equal: 9, different: 0, examples: [] }]]),
  outcomes: [outcome(200), outcome(200, { live: true })],
  incidents: [],
  unexpectedLines: [],
  badEnds: [],
  missedKills: [],
  replacedKey: 401,
};

const failed = (more: Partial<Finished>) =>
  checksOf({ ...WELL, ...more })
    .filter(({ ok }) => !ok)
    .map(({ what }) => what);

describe('the end of a soak', () => {
  it('fails nothing if all is well', () => {
    expect(failed({})).toEqual([]);
  });

  it.each<[string, Partial<Finished>]>([
    ['sightings', { activity: { ...WELL.activity, events: { ResearchRunCompleted: 1, LadderComputed: 1 } } }],
    ['live reads answered', { outcomes: [outcome(200)] }],
    ['periods that ended and were settled', { audit: { ...WELL.audit, settled: 0 } }],
    [
      'projections as a rebuild',
      { verified: new Map([['directory', { equal: 8, different: 1, examples: [] }]]) },
    ],
    [
      'projections as a rebuild',
      { activity: { ...WELL.activity, projections: ['directory', 'x'], builds: 2 } },
    ],
    [
      'events that projections did not process',
      { remaining: { reservations: 0, behind: { directory: Number.POSITIVE_INFINITY } } },
    ],
    ['differences of the usage audit', { audit: { ...WELL.audit, differences: ['one'] } }],
    ['reservations left', { remaining: { reservations: 2, behind: {} } }],
    ['gaps in the event log', { activity: { ...WELL.activity, gaps: 1 } }],
    ['parked streams', { activity: { ...WELL.activity, parked: 1 } }],
    ['stored responses older than a day', { activity: { ...WELL.activity, expiredResponses: 1 } }],
    ['deadlocks', { activity: { ...WELL.activity, deadlocks: 1 } }],
    ['builds left over', { activity: { ...WELL.activity, builds: 2 } }],
    ['errors that nothing explains', { unexpectedLines: ['x'] }],
    ['answers that nothing explains', { outcomes: [...WELL.outcomes, outcome(500)] }],
    ['bad ends of processes', { badEnds: ['api ended with 1'] }],
    ['strikes that found no process', { missedKills: ['api'] }],
    ['a replaced key after its grace period', { replacedKey: 200 }],
  ])('fails because of: %s', (what, more) => {
    expect(failed(more)).toEqual([what]);
  });
});

it('has a plot of each process, strike and fault', () => {
  const plan = planOf(1, 120);
  const memory = new Map([
    ['api', [series('a', 0, 4, () => 100), series('b', 60, 4, () => 90)].flat()],
    ['crawl <1>', series('c', 0, 4, () => 80)],
  ]);
  const tables = new Map([['crawl.leases', series('table', 0, 4, () => 1)]]);
  const svg = pictureOf({ memory, tables }, plan, 'two minutes');
  expect(svg.match(/<polyline/g)).toHaveLength(4);
  expect(svg).toContain('crawl &lt;1>');
  expect(
    svg.match(/<title>(?:child|hung child|connections|database|api|crawl|project|research|whole)<\/title>/g),
  ).toHaveLength(plan.kills.length);
  for (const { kind } of plan.faults) expect(svg).toContain(`<title>${kind}</title>`);
});
