import { setTimeout as sleep } from 'node:timers/promises';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { activeBuild } from '../../src/projections/builds/builds.ts';
import { checkpointsOf, isIn } from '../../src/projections/checkpoints.ts';
import { runWorker } from '../../src/projections/consumer/runner.ts';
import { runProjection } from '../../src/projections/engine/runner.ts';
import { accounts } from '../../src/projections/views/accounts/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createDecoder } from '../../src/write/log/codec.ts';
import { runRelay } from '../../src/write/messaging/relay.ts';
import { readingData, TYPE } from '../log/events.ts';
import { median, percentile } from '../support/rounds.ts';
import { type Bed, RETENTION_MS } from './setup.ts';

const PER_SECOND = 500;
const STREAMS = 2_000;
/** Seconds at the beginning that are not measured: a consumer that has just joined is still finding its partition. */
const SETTLE_S = 5;

export interface Latency {
  /** Milliseconds from the append to a row that a query of the API's would return. */
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly events: number;
}

/** Appends at a steady pace, and looks all the while how far the rows are. */
export const latency = async (
  { database, log, messaging }: Bed,
  way: 'embedded' | 'kafka',
  seconds: number,
): Promise<Latency> => {
  const { db, url } = database;
  const stopping = new AbortController();
  const { signal } = stopping;
  const own = { db, connectionString: url, log, logger: silentLogger, signal };
  const decoder = createDecoder(eventTypes);
  const running =
    way === 'embedded'
      ? [runProjection(accounts, own)]
      : [
          runRelay({ ...own, messaging, retentionMs: RETENTION_MS }),
          runWorker(accounts, { ...own, messaging, decoder }),
        ];
  const checkpoints = async () => {
    const build = await activeBuild(db, accounts.name, accounts.version);
    return build === null ? new Map<string, bigint>() : checkpointsOf(db, build.schema);
  };
  const reached = async (position: bigint) => {
    const at = await checkpoints();
    return (
      at.size === (way === 'embedded' ? PLATFORMS.length : 64) && [...at.values()].every((p) => p >= position)
    );
  };
  const before = await log.head();
  while (!(await reached(before))) await sleep(50);

  const waiting = new Map<bigint, { stream: string; appendedAt: number }>();
  const delays: number[] = [];
  let left = PER_SECOND * (seconds + SETTLE_S);
  const total = left;
  const look = async () => {
    while (left > 0 || waiting.size > 0) {
      const at = await checkpoints();
      const now = performance.now();
      for (const [position, { stream, appendedAt }] of waiting) {
        if (!isIn({ stream, position }, at)) continue;
        if (appendedAt - began > SETTLE_S * 1_000) delays.push(now - appendedAt);
        waiting.delete(position);
      }
      await sleep(1);
    }
  };
  const began = performance.now();
  const looking = look();
  const appends: Promise<void>[] = [];
  for (let n = 0; n < total; n++) {
    const stream = `account-x:latency${n % STREAMS}`;
    const appendedAt = performance.now();
    const one = async () => {
      const event = { id: uuidV7(Date.now()), type: TYPE, data: readingData(n % STREAMS, n) };
      const outcome = await log.append(stream, [event], 'any');
      left -= 1;
      if (outcome.status === 'appended') waiting.set(outcome.position, { stream, appendedAt });
    };
    appends.push(one());
    const due = began + ((n + 1) * 1_000) / PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
  }
  await Promise.all(appends);
  await looking;
  stopping.abort();
  await Promise.all(running);
  return { medianMs: median(delays), p99Ms: percentile(delays, 0.99), events: delays.length };
};
