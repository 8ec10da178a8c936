import type { Source } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** An operator's decisions about an engine. */
export interface EngineControl {
  readonly paused: boolean;
  /** Requests a second; null for the configured rate. */
  readonly ratePerS: number | null;
}

/** The operators' decisions, which crawlers check before every request. */
export interface Controls {
  /** The decisions about an engine, at most `MAX_AGE_MS` old. @throws if the database is unavailable. */
  engine(key: Source): Promise<EngineControl>;
}

/** @param now milliseconds of a steady clock. */
export const createControls = (db: Queryable, now: () => number = () => performance.now()): Controls => {
  let askedMs = Number.NEGATIVE_INFINITY;
  let engines = new Map<Source, EngineControl>();
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    const startedMs = now();
    const { rows } = await db.query<Row>(
      sql.named('engine_controls')`select engine, paused, rate_per_s from crawl.engine_controls`,
    );
    engines = new Map(
      rows.map(({ engine, paused, rate_per_s }) => [engine, { paused, ratePerS: rate_per_s }]),
    );
    askedMs = startedMs;
  };

  /** The age of an answer counts from its query. */
  const upToDate = async (): Promise<void> => {
    if (now() - askedMs < REUSED_MS) return;
    do {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
    } while (now() - askedMs >= MAX_AGE_MS);
  };

  return {
    engine: async (key) => {
      await upToDate();
      return engines.get(key) ?? UNCONTROLLED;
    },
  };
};

const UNCONTROLLED: EngineControl = { paused: false, ratePerS: null };

/** How long an answer is reused. One statement serves all engines of the process. */
const REUSED_MS = 250;
/** A slower answer is queried again: no request is sent on decisions that may have changed meanwhile. */
const MAX_AGE_MS = 1_500;

interface Row {
  readonly engine: Source;
  readonly paused: boolean;
  readonly rate_per_s: number | null;
}
