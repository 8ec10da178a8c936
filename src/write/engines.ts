/** The engine aggregate: events, state, decisions, and the copy of operators' decisions that crawlers read. */

import { z } from 'zod';
import { isoOf } from '../kernel/clock.ts';
import { uuidV7 } from '../kernel/ids.ts';
import { platformSchema } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';
import { type Decider, handleCommand } from './log/command-handler.ts';
import { counts, type EventOf, event, instant, key, repaired, text } from './log/event-definition.ts';
import type { EventLog, NewEvent } from './log/port.ts';

/** The stream of an engine's alarms and operator decisions. Its key is the name of the source that it reads. */
export const engineStream = (engine: string): string => `engine-${engine}`;

/** The stream of an engine's reports. It is separate from the decisions, since there are thousands of reports for each decision. */
export const engineReportStream = (engine: string): string => `engine-${engine}:reports`;

/** The key of the engine that a stream belongs to, of either kind. */
export const engineOfStream = (stream: string): string =>
  stream.slice('engine-'.length).replace(/:reports$/, '');

const whole = z.int().nonnegative();

/** Number of values by logarithmic bin, as in `kernel/log-bins.ts`. */
const histogram = z.record(z.string().regex(/^-?\d{1,6}$/), z.int().positive());

const traffic = z.strictObject({ requests: whole, bytes: whole });

/** The cost and yield of a pool's accounts. */
const poolWork = z.strictObject({
  requests: whole,
  readings: whole,
  /** Readings without a conclusive outcome. */
  errors: whole,
  /** Accounts that its accounts named, that a reading found, and that no pool knew. */
  discovered: whole,
  /** Accounts that named these, each counted once within a day; absent before they were counted. */
  namers: whole.optional(),
});

const pools = z.record(key(100), poolWork).refine((found) => Object.keys(found).length <= 1_000, {
  error: 'must have at most 1000 pools',
});

const reason = text(200);
const details = { reason, detail: text(2_000) };

/** The process that reports. */
const worker = key(200);

export const engineEvents = {
  /** What one worker of an engine did since its last report. */
  CrawlBatchCompleted: event({
    /** Null for an engine that does not crawl a platform. */
    platform: platformSchema.nullable(),
    worker,
    started_at: instant,
    finished_at: instant,
    /** Requests and bytes of the crawl. */
    requests: whole,
    bytes: whole,
    /** Requests and bytes of live reads in the same process. */
    live: traffic,
    /** Readings by outcome: a status, or `unknown:` with the reason. */
    outcomes: counts(200, 200),
    /** Milliseconds from the first request of a reading to its outcome; null if there was no reading. */
    latency_ms: z.strictObject({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable(),
    /** The same latencies as a histogram. Histograms add up over reports. */
    latency_bins: histogram,
    pools,
    /** Time of the last conclusive reading of this worker; null before the first. */
    last_success_at: instant.nullable(),
    last_error: z.strictObject({ reason, at: instant }).nullable(),
    /** Number of parser warnings by text. */
    warnings: counts(500, 100),
  }),
  EngineDegraded: event({ at: instant, platform: platformSchema.nullable(), ...details, worker }),
  EngineRecovered: event({ at: instant, platform: platformSchema.nullable(), worker }),
  /** An operator set the request rate that all workers share. */
  EngineTuned: event({ at: instant, rate_per_s: z.number().positive().max(1e6) }),
  /** An operator paused the engine: nothing is read until it is resumed. */
  EnginePaused: event({ at: instant, why: text(2_000) }),
  EngineResumed: event({ at: instant }),
  /** An operator ended the rest of an engine that failed readings began. */
  EngineRestEnded: event({ at: instant }),
};

export type EngineEvent = EventOf<typeof engineEvents>;

/** An engine's event within its bounds. Details and warnings quote platforms and networks, so they may be of any length. */
export const engineEvent = (type: keyof typeof engineEvents, data: unknown, nowMs: number): NewEvent => ({
  id: uuidV7(nowMs),
  type,
  data: repaired(engineEvents[type].schema, data),
});

/** The state of an engine, which all workers share. */
export interface EngineState {
  /** The alarm that is currently raised; null if there is none. */
  readonly alarm: { readonly reason: string; readonly detail: string } | null;
  readonly paused: boolean;
  /** Requests per second; null if no operator set a rate. */
  readonly ratePerS: number | null;
}

const noEngine: EngineState = { alarm: null, paused: false, ratePerS: null };

const evolveEngine = (state: EngineState, event: EngineEvent): EngineState => {
  switch (event.type) {
    case 'CrawlBatchCompleted':
    case 'EngineRestEnded':
      return state;
    case 'EngineDegraded':
      return { ...state, alarm: { reason: event.data.reason, detail: event.data.detail } };
    case 'EngineRecovered':
      return { ...state, alarm: null };
    case 'EnginePaused':
      return { ...state, paused: true };
    case 'EngineResumed':
      return { ...state, paused: false };
    case 'EngineTuned':
      return { ...state, ratePerS: event.data.rate_per_s };
  }
};

/** Number of events that a state is folded from: the end of a long stream suffices. */
const WINDOW = 2_000;

export const engineDecider: Decider<EngineState, EngineEvent> = {
  initial: noEngine,
  evolve: evolveEngine,
  window: WINDOW,
};

const changes = (state: EngineState, event: EngineEvent): boolean => {
  switch (event.type) {
    case 'CrawlBatchCompleted':
    case 'EngineRestEnded':
      return true;
    case 'EngineDegraded':
      return state.alarm === null;
    case 'EngineRecovered':
      return state.alarm !== null;
    case 'EnginePaused':
      return !state.paused;
    case 'EngineResumed':
      return state.paused;
    case 'EngineTuned':
      return state.ratePerS !== event.data.rate_per_s;
  }
};

/** The event if it changes the engine's state, otherwise nothing. So workers and restarts agree on one history. */
export const changeEngine =
  (event: EngineEvent) =>
  (state: EngineState): readonly EngineEvent[] =>
    changes(state, event) ? [event] : [];

/**
 * A recovery that leaves some alarms raised because it says nothing about their cause.
 * @param except reasons of these alarms.
 */
export const recoverEngine =
  (event: EngineEvent, except: ReadonlySet<string>) =>
  (state: EngineState): readonly EngineEvent[] =>
    state.alarm !== null && except.has(state.alarm.reason) ? [] : changeEngine(event)(state);

/** A decision of an operator about an engine. */
export type EngineCommand =
  | { readonly do: 'pause'; readonly why: string }
  | { readonly do: 'resume' }
  | { readonly do: 'tune'; readonly ratePerS: number };

const eventOf = (command: EngineCommand, at: string): EngineEvent => {
  switch (command.do) {
    case 'pause':
      return { type: 'EnginePaused', data: { at, why: command.why } };
    case 'resume':
      return { type: 'EngineResumed', data: { at } };
    case 'tune':
      return { type: 'EngineTuned', data: { at, rate_per_s: command.ratePerS } };
  }
};

/** The state of an engine's stream as of a revision, which is -1 before the first event. */
interface Known {
  readonly state: EngineState;
  readonly revision: bigint;
}

interface Row {
  readonly revision: string;
  readonly paused: boolean;
  readonly rate_per_s: number | null;
}

/** Replaces the row that was read before. @returns false if another process has changed it since. */
const replaceRow = async (
  db: Queryable,
  engine: string,
  before: Row | undefined,
  { state: { paused, ratePerS }, revision }: Known,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    before === undefined
      ? sql`
        insert into crawl.engine_controls (engine, revision, paused, rate_per_s)
        values (${engine}, ${String(revision)}, ${paused}, ${ratePerS}) on conflict (engine) do nothing`
      : sql`
        update crawl.engine_controls set revision = ${String(revision)}, paused = ${paused}, rate_per_s = ${ratePerS}
        where engine = ${engine} and revision = ${before.revision}`,
  );
  return rowCount === 1;
};

/** The revision before the first event. */
const NO_EVENT = -1n;

/**
 * Copies operators' decisions from the engines' streams to a table that crawlers read before they send a request. A command copies
 * its own decision. Crawlers copy as well, in case a command ended before it copied, or the table belongs to another database.
 */
export interface ControlCopies {
  /** Reads the new events of the engine's stream and copies the state. */
  copy(engine: string): Promise<EngineState>;
}

export const createControlCopies = (log: EventLog, db: Queryable): ControlCopies => {
  const known = new Map<string, Known>();

  const read = async (engine: string): Promise<Known> => {
    const before = known.get(engine);
    const { initial, evolve, window = 1 } = engineDecider;
    const stream = engineStream(engine);
    const added =
      before === undefined
        ? (await log.readStream(stream, { direction: 'backwards', limit: window })).toReversed()
        : await log.readStream(stream, { from: before.revision + 1n });
    return {
      state: (added as unknown as readonly EngineEvent[]).reduce(
        // Event types that only a newer program knows change nothing.
        (state, event) => evolve(state, event) ?? state,
        before?.state ?? initial,
      ),
      revision: added.at(-1)?.revision ?? before?.revision ?? NO_EVENT,
    };
  };

  return {
    copy: async (engine) => {
      for (;;) {
        // The row is read before the stream, so that it is never ahead of it, unless the log was restored to an earlier state.
        const { rows } = await db.query<Row>(
          sql`select revision, paused, rate_per_s from crawl.engine_controls where engine = ${engine}`,
        );
        const [row] = rows;
        const found = await read(engine);
        known.set(engine, found);
        const { state, revision } = found;
        const isNothing = row === undefined && revision === NO_EVENT;
        const isSame =
          row?.revision === String(revision) &&
          row.paused === state.paused &&
          row.rate_per_s === state.ratePerS;
        if (isNothing || isSame || (await replaceRow(db, engine, row, found))) return state;
      }
    },
  };
};

/**
 * Carries out an operator's decision. Crawlers in every process obey it within two seconds, whatever the lag of read models.
 * @returns whether it changed anything.
 */
export const decideEngine = async (
  log: EventLog,
  db: Queryable,
  engine: string,
  command: EngineCommand,
  nowMs: number,
): Promise<boolean> => {
  const { events } = await handleCommand(
    log,
    engineDecider,
    engineStream(engine),
    changeEngine(eventOf(command, isoOf(nowMs))),
    { nowMs, idOf: () => uuidV7(nowMs) },
  );
  // The state is copied even if nothing changed: an earlier command may have ended before it copied.
  await createControlCopies(log, db).copy(engine);
  return events.length > 0;
};
