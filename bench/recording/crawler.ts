import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { createAccountStates } from '../../src/read/accounts/account-states.ts';
import { watchBuilds } from '../../src/read/active-builds.ts';
import { recordSighting } from '../../src/write/accounts/record-sighting.ts';
import { withSnapshotCache } from '../../src/write/accounts/snapshot.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec/validating-log.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { serve } from '../support/child.ts';
import { readingOf } from './workload.ts';

export interface Question {
  readonly url: string;
  /** Accounts to refresh: every `step`-th from `first` on. */
  readonly first: number;
  readonly step: number;
  readonly count: number;
  readonly reading: number;
  readonly hasSnapshots: boolean;
}

export interface Answer {
  readonly ms: number;
  /** Bytes of event data read from streams. */
  readonly bytes: number;
  readonly events: number;
}

/** Readings recorded at once, as of a crawler with many connections. */
const AT_ONCE = 64;

/** One crawl process: records a reading of each of its accounts. */
const run = async ({ url, first, step, count, reading, hasSnapshots }: Question): Promise<Answer> => {
  const db = createPool(url, { max: 10, logger: silentLogger, name: 'bench recording' });
  const inner = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  let [bytes, events] = [0, 0];
  const log: EventLog = {
    ...inner,
    readStream: async (stream, options) => {
      const found = await inner.readStream(stream, options);
      for (const { data } of found) bytes += Buffer.byteLength(JSON.stringify(data));
      return found;
    },
  };
  const builds = await watchBuilds(db, silentLogger);
  const snapshots = hasSnapshots
    ? withSnapshotCache(createAccountStates(db, builds, silentLogger))
    : undefined;
  let next = 0;
  const began = performance.now();
  const worker = async () => {
    while (next < count) {
      const account = first + next++ * step;
      const sighting = readingOf(account, reading);
      const decision = await recordSighting(log, 'x', `user${account}`, sighting, {
        nowMs: Date.now(),
        snapshots,
      });
      events += decision.events.length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const ms = performance.now() - began;
  builds.close();
  await log.close();
  await db.end();
  return { ms, bytes, events };
};

if (import.meta.main) serve(run);
