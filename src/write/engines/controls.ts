import { isoOf } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { handleCommand } from '../log/command-handler.ts';
import type { EventLog } from '../log/port.ts';
import { changeEngine, type EngineState, engineDecider } from './decide.ts';
import { type EngineEvent, engineStream } from './events.ts';

/** What an operator decides of an engine. */
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

/** The state of an engine's stream as of a revision; -1 before its first event. */
interface Known {
  readonly state: EngineState;
  readonly revision: bigint;
}

interface Row {
  readonly revision: string;
  readonly paused: boolean;
  readonly rate_per_s: number | null;
}

/** Replaces the row as it was read: nothing if another process has changed it since. */
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

/** The revision of no event. */
const NO_EVENT = -1n;

/**
 * Copies what operators decided of engines from their streams to where crawlers ask before they send. A command copies
 * what it decided; crawlers copy as well, in case a command ended in between, or the table is that of another database.
 */
export interface ControlCopies {
  /** Reads what is new in the engine's stream. */
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
        // Types that only a newer program knows change nothing.
        (state, event) => evolve(state, event) ?? state,
        before?.state ?? initial,
      ),
      revision: added.at(-1)?.revision ?? before?.revision ?? NO_EVENT,
    };
  };

  return {
    copy: async (engine) => {
      for (;;) {
        // The row before the stream, which is never behind it: unless the row is that of a log before it was restored.
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
 * Carries out an operator's decision. Crawlers of every process obey it two seconds later at most, whatever the lag of
 * read models.
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
  // Also if nothing changed: an earlier command may have ended before it copied.
  await createControlCopies(log, db).copy(engine);
  return events.length > 0;
};
