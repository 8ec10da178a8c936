import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createPool } from '../../../src/kernel/postgres/pool.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import { watchBuilds } from '../../../src/read/active-builds.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { after, before } from './versions.ts';

/** What a process answers: the schema that it reads, how far that is, and the rows of a handle. */
export interface Answer {
  readonly schema: string;
  readonly position: string;
  readonly rows: readonly Record<string, unknown>[];
  /** Reads that failed since the last answer. */
  readonly failures: readonly string[];
}

/** A process that keeps one version of a projection and reads from it all the time. */
export interface VersionProcess {
  readonly child: ChildProcess;
  /** Null while it has no build to read from. */
  ask(handle: string): Promise<Answer | null>;
}

export const startVersion = (url: string, which: 'before' | 'after'): VersionProcess => {
  const child = fork(fileURLToPath(import.meta.url), [url, which], { stdio: 'inherit' });
  return {
    child,
    ask: async (handle) => {
      const done = new AbortController();
      const answer = once(child, 'message', { signal: done.signal });
      const ended = once(child, 'exit', { signal: done.signal }).then(() => {
        throw new Error('the process ended');
      });
      child.send(handle);
      try {
        return ((await Promise.race([answer, ended])) as [Answer | null])[0];
      } finally {
        done.abort();
        await Promise.allSettled([answer, ended]);
      }
    },
  };
};

const run = async (url: string, which: string): Promise<void> => {
  const projection = which === 'before' ? before : after;
  const db = createPool(url, { max: 6, logger: silentLogger, name: which });
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const stop = new AbortController();
  void runProjection(projection, {
    db,
    log,
    logger: silentLogger,
    connectionString: url,
    signal: stop.signal,
  });
  const builds = await watchBuilds(db, silentLogger, { known: [projection] });
  let failures: string[] = [];
  const read = async (handle: string): Promise<Omit<Answer, 'failures'> | null> => {
    const progress = builds.progress(projection.name);
    if (progress === null) return null;
    const schema = builds.schema(projection.name);
    const { rows } = await db.query(
      which === 'before'
        ? `select handle, followers::int from ${schema}.accounts where handle = $1`
        : `select handle, followers::int, s.n::int from ${schema}.accounts a
           join ${schema}.seen s on s.stream = 'account-' || a.platform || ':' || a.handle where handle = $1`,
      [handle],
    );
    return { schema, position: String(progress.position), rows };
  };
  process.on('message', (handle: string) => {
    void read(handle).then((answer) => {
      process.send?.(answer === null ? null : { ...answer, failures });
      failures = [];
    });
  });
  process.on('disconnect', () => process.exit(0));
  for (;;) {
    await setImmediate();
    await read('steady').catch((error: Error) => failures.push(error.message));
  }
};

if (import.meta.main) await run(process.argv[2] as string, process.argv[3] as string);
