import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../kernel/logger.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import { UnreadableEvent } from '../write/log/door.ts';
import type { EventLog } from '../write/log/port.ts';
import { activeBuild, createBuild, LostPlace } from './builds.ts';
import type { Projection } from './projection.ts';
import { dropAbandoned, rebuild } from './rebuild.ts';
import { haveGrown, loadSkips, subscription } from './skips.ts';
import { clearStop, recordStop, stopOf } from './stops.ts';
import { skipCommand, UnhandledEvent } from './unhandled.ts';
import { openWriter } from './writer.ts';

const BACKOFF_MS = [200, 500, 1_000, 2_000, 5_000] as const;
const FOLLOW_MS = 1_000;
const PAGE = 2_000;
const IDLE_WRITE_MS = 1_000;

export interface RunnerOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The build that this program's version of a projection writes to, built from the log where there is none. */
const ownBuild = async (projection: Projection, options: RunnerOptions): Promise<string> => {
  const active = await activeBuild(options.db, projection.name, projection.version);
  if (active !== null) return active.schema;
  // With nothing behind it the log is followed from its start; otherwise the build catches up before it is used.
  if ((await options.log.head()) === 0n) return (await createBuild(options.db, projection, 'active')).schema;
  options.logger.info(
    { projection: projection.name, version: projection.version },
    'building a projection from the log',
  );
  return (await rebuild(projection, options)).schema;
};

/**
 * Follows the log into the active build until the build is replaced, an event is skipped, the place is lost, or the
 * signal fires.
 */
const follow = async (projection: Projection, options: RunnerOptions, onMoved: () => void): Promise<void> => {
  const { db, log, logger } = options;
  const schema = await ownBuild(projection, options);
  const skips = await loadSkips(log, projection);
  const writer = await openWriter(db, projection, schema);
  const outdated = new AbortController();
  const signal = AbortSignal.any([options.signal, outdated.signal]);
  const isOutdated = async (): Promise<boolean> => {
    const active = await activeBuild(db, projection.name, projection.version);
    return active?.schema !== writer.schema || (await haveGrown(log, projection, skips));
  };
  const watch = async () => {
    while (!signal.aborted) {
      await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted && (await isOutdated().catch(() => false))) outdated.abort();
    }
  };
  // Since an earlier try, or since another process had it.
  let stop = await stopOf(db, projection);
  const tellMoved = async () => {
    if (stop === null || stop.position > writer.position()) return;
    await clearStop(db, projection, writer.position());
    stop = null;
    logger.info({ projection: projection.name }, 'the projection goes on');
  };
  await tellMoved();
  const watching = watch();
  try {
    let writtenAt = 0;
    const pages = log.subscribe(writer.position(), {
      ...subscription(projection, skips),
      pageSize: PAGE,
      signal,
    });
    for await (const page of pages) {
      // A checkpoint that moves past others' events is worth a write now and then, not one an append.
      if (page.events.length === 0 && Date.now() - writtenAt < IDLE_WRITE_MS) continue;
      await writer.write(page);
      await tellMoved();
      onMoved();
      writtenAt = Date.now();
    }
  } finally {
    outdated.abort();
    await watching;
  }
};

/** Says where the projection stands and what there is to be done, and keeps it for whoever asks. */
const tellStop = async (
  projection: Projection,
  error: UnreadableEvent | UnhandledEvent,
  delay: number,
  { db, logger }: RunnerOptions,
): Promise<void> => {
  const { position, stream, type } = error.event;
  logger.error(
    { err: error, position: String(position), stream, type, delay },
    `the projection stands before position ${position} until it can take in what is there, and tries again; ` +
      `to go on without: ${skipCommand(projection.name, position)}`,
  );
  await recordStop(db, projection, error.event, error.message).catch((failure: Error) =>
    logger.warn({ err: failure.message }, 'where the projection stands could not be kept'),
  );
};

/**
 * Keeps one projection up to date. Any number of processes may run it: one at a time holds the lease, an advisory
 * lock of a connection, which ends with the process; the others wait for it.
 */
export const runProjection = async (projection: Projection, options: RunnerOptions): Promise<void> => {
  const { logger, signal, db } = options;
  const log = logger.child({ projection: projection.name });
  let failures = 0;
  while (!signal.aborted) {
    const lease = new pg.Client({
      connectionString: options.connectionString,
      application_name: `sightline lease ${projection.name}`,
      keepAlive: true,
    });
    const lost = new AbortController();
    lease.on('error', () => lost.abort());
    lease.on('end', () => lost.abort());
    try {
      await lease.connect();
      const held = async () => {
        const { rows } = await lease.query<{ held: boolean }>(
          'select pg_try_advisory_lock(7203116, hashtext($1)) held',
          [`${projection.name} ${projection.version}`],
        );
        return rows[0]?.held === true;
      };
      while (!signal.aborted && !(await held())) {
        await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
      }
      await dropAbandoned(db, projection);
      const leased = { ...options, signal: AbortSignal.any([signal, lost.signal]) };
      while (!leased.signal.aborted) {
        await follow(projection, leased, () => {
          failures = 0;
        });
      }
    } catch (error) {
      if (signal.aborted) break;
      const delay = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 1_000;
      failures += 1;
      if (error instanceof UnreadableEvent || error instanceof UnhandledEvent) {
        await tellStop(projection, error, delay, { ...options, logger: log });
      } else {
        const level = error instanceof LostPlace ? 'info' : 'error';
        log[level]({ err: error, delay }, 'the projection stopped and starts again');
      }
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    } finally {
      await lease.end().catch(() => undefined);
    }
  }
};
