import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../kernel/logger.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import { UnreadableEvent } from '../write/log/door.ts';
import type { EventLog } from '../write/log/port.ts';
import { activeBuild, createBuild, LostPlace } from './builds.ts';
import type { Projection } from './projection.ts';
import { dropAbandoned, rebuild } from './rebuild.ts';
import { openWriter, type Writer } from './writer.ts';

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

/** Follows the log into the active build until the build is replaced, the place is lost, or the signal fires. */
const follow = async (projection: Projection, writer: Writer, options: RunnerOptions): Promise<void> => {
  const { db, log } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const replaced = async () => {
    while (!signal.aborted) {
      await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const active = await activeBuild(db, projection.name, projection.version).catch(() => undefined);
      if (active !== undefined && active?.schema !== writer.schema) stop.abort();
    }
  };
  const watching = replaced();
  try {
    const filter = {
      types: projection.types,
      ...(projection.streamPrefixes === undefined ? {} : { streamPrefixes: projection.streamPrefixes }),
    };
    let writtenAt = 0;
    for await (const page of log.subscribe(writer.position(), { ...filter, pageSize: PAGE, signal })) {
      // A checkpoint that moves past others' events is worth a write now and then, not one an append.
      if (page.events.length === 0 && Date.now() - writtenAt < IDLE_WRITE_MS) continue;
      await writer.write(page);
      writtenAt = Date.now();
    }
  } finally {
    stop.abort();
    await watching;
  }
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
        const writer = await openWriter(db, projection, await ownBuild(projection, leased));
        await follow(projection, writer, leased);
        failures = 0;
      }
    } catch (error) {
      if (signal.aborted) break;
      const delay = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 1_000;
      failures += 1;
      const level = error instanceof LostPlace ? 'info' : 'error';
      const position = error instanceof UnreadableEvent ? String(error.position) : undefined;
      log[level]({ err: error, position, delay }, 'the projection stopped and starts again');
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    } finally {
      await lease.end().catch(() => undefined);
    }
  }
};
