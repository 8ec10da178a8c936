/** Evaluates the alarms: which are raised and cleared, and what readers see of them. */

import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { type AlarmEvent, alarmDecider, alarmStream, changeAlarm } from '../../write/alarms.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { filled, isBeyond, OWN_ALARMS } from './alarms.ts';
import type { Measured } from './measures.ts';

/** Interval of evaluations. */
export const EVALUATE_MS = 15_000;
/** An alarm is cleared once its condition has not held for so long. */
const CLEAR_MS = 60_000;

/** An alarm that is raised, as `/readyz`, `top` and commands show it. */
const openAlarm = z.object({
  alarm: z.string(),
  subject: z.string(),
  severity: z.enum(['page', 'ticket']),
  since: z.string(),
  detail: z.string(),
  remedy: z.string(),
  acknowledged: z.object({ at: z.string(), note: z.string() }).nullable(),
});
export type OpenAlarm = z.output<typeof openAlarm>;

/** Since when conditions have held, or not, by alarm and subject. */
export type Held = Map<string, { readonly isBeyond: boolean; readonly sinceMs: number }>;

/** The events of one alarm that follow from what was measured. @param held is brought up to date. */
export const decideAlarm = (
  { name, condition, forS, says }: (typeof OWN_ALARMS)[number],
  measured: Measured,
  raised: ReadonlySet<string>,
  held: Held,
  nowMs: number,
): readonly AlarmEvent[] => {
  const values = measured[condition.measure.name];
  // What can't be read raises and clears nothing.
  if (values === null || values === undefined) return [];
  const at = isoOf(nowMs);
  const found = new Map(values.map(({ subject, value }) => [subject, value]));
  return [...new Set([...found.keys(), ...raised])].flatMap((subject): AlarmEvent[] => {
    const value = found.get(subject);
    const isNow = value !== undefined && isBeyond(condition, value);
    const key = `${name} ${subject}`;
    const before = held.get(key);
    const sinceMs = before?.isBeyond === isNow ? before.sinceMs : nowMs;
    held.set(key, { isBeyond: isNow, sinceMs });
    if (isNow && !raised.has(subject) && nowMs - sinceMs >= forS * 1_000)
      return [
        {
          type: 'AlarmRaised',
          data: { at, subject, value, detail: filled(says, condition, { subject, value }) },
        },
      ];
    if (!isNow && raised.has(subject) && nowMs - sinceMs >= CLEAR_MS)
      return [{ type: 'AlarmCleared', data: { at, subject } }];
    return [];
  });
};

/** Raises and clears alarms, and stores what was measured and what is raised. */
export const evaluateAlarms = async (
  { db, log }: { readonly db: Queryable; readonly log: EventLog },
  measured: Measured,
  held: Held,
  nowMs: number,
): Promise<readonly AlarmEvent[]> => {
  const news: AlarmEvent[] = [];
  const open: OpenAlarm[] = [];
  let failure: unknown = null;
  for (const alarm of OWN_ALARMS) {
    try {
      const { state, events } = await handleCommand(
        log,
        alarmDecider,
        alarmStream(alarm.name),
        (raised) => changeAlarm(decideAlarm(alarm, measured, new Set(raised.keys()), held, nowMs))(raised),
        { nowMs },
      );
      news.push(...events);
      open.push(...openOf(alarm, state));
    } catch (error) {
      failure = error;
    }
  }
  await db.query(sql`
    insert into service.evaluation as e (only_row, at, measures, alarms)
    values (true, clock_timestamp(), ${JSON.stringify(measured)}, ${failure === null ? JSON.stringify(open) : null})
    on conflict (only_row) do update set at = excluded.at, measures = excluded.measures,
      alarms = coalesce(excluded.alarms, e.alarms)`);
  // Without the log nothing is raised or cleared; what was measured is there.
  if (failure !== null) throw failure;
  return news;
};

const openOf = (
  { name, severity, remedy, condition }: (typeof OWN_ALARMS)[number],
  state: typeof alarmDecider.initial,
): readonly OpenAlarm[] =>
  [...state].map(([subject, { since, value, detail, acknowledged }]) => ({
    alarm: name,
    subject,
    severity,
    since,
    detail,
    remedy: filled(remedy, condition, { subject, value }),
    acknowledged,
  }));

/** What is raised according to the log. */
export const readOpenAlarms = async (log: EventLog, nowMs: number): Promise<readonly OpenAlarm[]> => {
  const states = await Promise.all(
    OWN_ALARMS.map(async (alarm) => {
      const { state } = await handleCommand(log, alarmDecider, alarmStream(alarm.name), () => [], { nowMs });
      return openOf(alarm, state);
    }),
  );
  return states.flat().toSorted((a, b) => (a.since < b.since ? -1 : 1));
};

/** The last evaluation. */
export interface Evaluation {
  readonly age_s: number;
  readonly measures: Measured;
  readonly alarms: readonly OpenAlarm[];
}

const evaluationSchema = z.object({
  age_s: z.number(),
  measures: z.record(z.string(), z.array(z.object({ subject: z.string(), value: z.number() })).nullable()),
  alarms: z.array(openAlarm).nullable(),
});

/** The last evaluation; null before the first. */
export const readEvaluation = async (db: Queryable): Promise<Evaluation | null> => {
  const { rows } = await db.query(sql.named('evaluation')`
    select extract(epoch from clock_timestamp() - at)::float8 as age_s, measures, alarms from service.evaluation`);
  if (rows[0] === undefined) return null;
  const { alarms, ...rest } = evaluationSchema.parse(rows[0]);
  return { ...rest, alarms: alarms ?? [] };
};

/**
 * Acknowledges what is raised of an alarm.
 * @param subject one of its subjects; all without one.
 * @returns how many.
 * @throws {OperatorError} `argument_invalid` for an alarm that there is not.
 */
export const acknowledgeAlarm = async (
  log: EventLog,
  {
    alarm,
    subject,
    note,
  }: { readonly alarm: string; readonly subject: string | null; readonly note: string },
  nowMs: number,
): Promise<number> => {
  if (!OWN_ALARMS.some(({ name }) => name === alarm))
    throw new OperatorError(
      'argument_invalid',
      `There is no alarm ${alarm}. They are: ${OWN_ALARMS.map(({ name }) => name).join(', ')}`,
    );
  const { events } = await handleCommand(
    log,
    alarmDecider,
    alarmStream(alarm),
    (raised) =>
      changeAlarm(
        [...raised.keys()]
          .filter((each) => subject === null || each === subject)
          .map((each) => ({
            type: 'AlarmAcknowledged',
            data: { at: isoOf(nowMs), subject: each, note },
          })),
      )(raised),
    { nowMs },
  );
  return events.length;
};
