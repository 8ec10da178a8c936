import { type Bound, flatnessOf, type Measured } from './flatness.ts';
import type { Outcome } from './load.ts';
import type { Expected, Incident } from './logs.ts';
import type { Activity, AuditAnswer, Remaining, VerifyAnswer } from './operator.ts';
import type { Victim } from './plan.ts';

/** Something that a soak demands. */
export interface Check {
  readonly what: string;
  readonly found: string;
  readonly wanted: string;
  readonly ok: boolean;
}

/** Memory of a process, in MB. */
export const MEMORY_BOUND: Bound = { share: 0.15, least: 24 };
/** A table with its indexes, in MB: dead rows are freed when Postgres vacuums, once in a minute at most. */
export const TABLE_BOUND: Bound = { share: 0.25, least: 1 };

/** Real seconds in which a process that was killed is started again, and one that hangs is killed. */
const KILLED_S = 20;
const HUNG_S = 40;
/** In which connections that were ended are open again. */
const CUT_S = 5;
/** In which a database that crashed takes connections again. */
const DATABASE_S = 20;
/** So long after an incident a look-up may still be refused or cut off. */
const RECOVERED_S = 20;

/** What may be heard of a strike. The API's child is one of `whole`, and logs as such. */
export const incidentOf = (victim: Victim, atS: number): Incident => {
  if (victim === 'hung child') return { kind: 'hung', process: 'whole', fromS: atS, toS: atS + HUNG_S };
  if (victim === 'connections') return { kind: 'cut', process: null, fromS: atS, toS: atS + CUT_S };
  if (victim === 'database') return { kind: 'cut', process: null, fromS: atS, toS: atS + DATABASE_S };
  return {
    kind: 'killed',
    process: victim === 'child' ? 'whole' : victim,
    fromS: atS,
    toS: atS + KILLED_S,
  };
};

/** Errors that follow from what was done, by their text. */
export const EXPECTED: readonly Expected[] = [
  { msg: /^the API process ended; restarting it$/, of: 'killed', withinS: 10 },
  {
    msg: /^the API process (?:ended; restarting it|does not respond; killing it)$/,
    of: 'hung',
    withinS: 10,
  },
  // Each recovers by itself: a runner starts again, and an account whose reading failed is leased again.
  {
    msg: /^(?:projection runner failed; restarting|reading could not be stored|page of the feed could not be stored|position in the feed could not be read or stored)$/,
    of: 'cut',
    withinS: 10,
  },
];

const isNear = ({ server, atS, endS }: Outcome, incidents: readonly Incident[]): boolean =>
  incidents.some(
    ({ process, fromS, toS }) =>
      (process === null || process === server) && fromS <= endS && toS + RECOVERED_S >= atS,
  );

const ANSWERS: ReadonlySet<number> = new Set([200, 402, 404, 409, 429]);

/** Whether a caller may get this: an answer, a refusal of too much, or, near an incident or of a platform, a failure. */
export const isExpected = (outcome: Outcome, incidents: readonly Incident[]): boolean => {
  const { status, code, asked } = outcome;
  if (ANSWERS.has(status)) return true;
  if (status === 422) return code === 'insufficient_data';
  if (status === 0) return isNear(outcome, incidents);
  return [502, 503, 504].includes(status) && (asked.live || isNear(outcome, incidents));
};

const count = (n: number): string => n.toLocaleString('en-US');
const mb = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

export interface TrendOptions {
  /** Seconds of each process that are not compared. */
  readonly warmS: number;
  readonly bound: Bound;
  /** Whether the soak was long enough for a trend; otherwise growth is shown and fails nothing. */
  readonly isLong: boolean;
}

/** Whether what was measured under each name is flat; names with too few values are no check. */
export const flatChecks = (
  what: string,
  measured: ReadonlyMap<string, readonly Measured[]>,
  { warmS, bound, isLong }: TrendOptions,
): readonly Check[] =>
  [...measured].flatMap(([name, values]) => {
    const { level, growth, overS, allowed, flat, values: n } = flatnessOf(values, { warmS, bound });
    if (n === 0) return [];
    return [
      {
        what: `${what}: ${name}`,
        found: `${mb(level)} MB, ${growth < 0 ? '−' : '+'}${mb(Math.abs(growth))} MB in ${Math.round(overS)} s`,
        wanted: isLong ? `at most +${mb(allowed)} MB` : 'a longer soak',
        ok: flat || !isLong,
      },
    ];
  });

const SHOWN = 5;

const none = (what: string, found: readonly string[]): Check => ({
  what,
  found: found.length === 0 ? 'none' : `${found.length}: ${found.slice(0, SHOWN).join('; ')}`,
  wanted: 'none',
  ok: found.length === 0,
});

const some = (what: string, n: number): Check => ({ what, found: count(n), wanted: 'some', ok: n > 0 });

export interface Finished {
  readonly activity: Activity;
  readonly audit: AuditAnswer;
  readonly remaining: Remaining;
  readonly verified: ReadonlyMap<string, VerifyAnswer>;
  readonly outcomes: readonly Outcome[];
  readonly incidents: readonly Incident[];
  readonly unexpectedLines: readonly string[];
  /** Processes that ended by themselves, or not with 0 when they were asked to. */
  readonly badEnds: readonly string[];
  readonly missedKills: readonly string[];
  /** Statuses of a key after its grace period. */
  readonly replacedKey: number;
}

/** What the service is to have done: a soak of an idle one shows nothing. */
const workChecks = ({ activity: { events }, outcomes, audit }: Finished): readonly Check[] => [
  some('sightings', (events.AccountSighted ?? 0) + (events.AccountUnchanged ?? 0)),
  some('runs of research', events.ResearchRunCompleted ?? 0),
  some('ladders computed', events.LadderComputed ?? 0),
  some('reads answered', outcomes.filter(({ asked, status }) => !asked.live && status === 200).length),
  some('live reads answered', outcomes.filter(({ asked, status }) => asked.live && status === 200).length),
  some('periods that ended and were settled', audit.settled),
];

const verifyCheck = ({ activity, verified }: Finished): Check => {
  const different = [...verified].filter(([, { different }]) => different > 0);
  const rows = [...verified.values()].reduce((sum, { equal }) => sum + equal, 0);
  const missing = activity.projections.filter((name) => !verified.has(name));
  return {
    what: 'projections as a rebuild',
    found:
      different.length === 0 && missing.length === 0
        ? `${verified.size}, ${count(rows)} rows`
        : [
            ...different.map(
              ([name, { different: n, examples }]) => `${name}: ${n} rows differ: ${examples[0] ?? ''}`,
            ),
            ...missing.map((name) => `${name} was not verified`),
          ].join('; '),
    wanted: 'all rows equal',
    ok: different.length === 0 && missing.length === 0 && verified.size > 0,
  };
};

/** What the end of a soak demands, in the order of its table. */
export const checksOf = (finished: Finished): readonly Check[] => {
  const { activity, audit, remaining, outcomes, incidents } = finished;
  const behind = Object.entries(remaining.behind).filter(([, events]) => events > 0);
  return [
    ...workChecks(finished),
    verifyCheck(finished),
    none(
      'events that projections did not process',
      behind.map(([name, events]) => `${name}: ${events}`),
    ),
    none('differences of the usage audit', audit.differences),
    none(
      'reservations left',
      Array.from({ length: remaining.reservations }, (_, n) => `${n + 1}`),
    ),
    none('gaps in the event log', activity.gaps === 0 ? [] : [count(activity.gaps)]),
    none('parked streams', activity.parked === 0 ? [] : [count(activity.parked)]),
    none(
      'stored responses older than a day',
      activity.expiredResponses === 0 ? [] : [count(activity.expiredResponses)],
    ),
    none('deadlocks', activity.deadlocks === 0 ? [] : [count(activity.deadlocks)]),
    none('builds left over', activity.builds === activity.projections.length ? [] : [count(activity.builds)]),
    none('errors that nothing explains', finished.unexpectedLines),
    none(
      'answers that nothing explains',
      outcomes
        .filter((outcome) => !isExpected(outcome, incidents))
        .map(
          ({ status, code, asked, server, atS }) =>
            `${status} ${code} ${asked.path} of ${server} at ${atS.toFixed(0)} s`,
        ),
    ),
    none('bad ends of processes', finished.badEnds),
    none('strikes that found no process', finished.missedKills),
    {
      what: 'a replaced key after its grace period',
      found: String(finished.replacedKey),
      wanted: '401',
      ok: finished.replacedKey === 401,
    },
  ];
};
