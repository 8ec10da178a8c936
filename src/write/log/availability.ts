import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type EventLog, type EventPage, LogUnavailableError } from './port.ts';

/** Availability of the event log. All components of a process share one monitor, which logs each change once. */
export interface LogAvailability {
  /** Whether the log is known to be unavailable. */
  isUnavailable(): boolean;
  /** Probes the log unless it is known to be unavailable. Waits at most `withinMs` for an answer. */
  answers(withinMs: number): Promise<boolean>;
  /** Reports a failure. The log counts as unavailable only if a probe fails as well. */
  failed(error: unknown): void;
  /** Resolves when the log is available again, or the signal fires. */
  untilBack(signal: AbortSignal): Promise<void>;
  close(): void;
}

const FIRST_MS = 100;
const MAX_MS = 2_000;

/** @param probe any request to the log. */
export const createLogAvailability = (probe: () => Promise<unknown>, logger: Logger): LogAvailability => {
  const closed = new AbortController();
  let awaySince: number | null = null;
  let probing = false;
  let back = Promise.withResolvers<void>();

  const begin = (error: unknown): void => {
    awaySince = performance.now();
    back = Promise.withResolvers();
    logger.warn({ err: errorMessage(error) }, 'event log unavailable; components that need it wait');
  };

  const end = (): void => {
    if (awaySince === null) return;
    const awayS = Math.round((performance.now() - awaySince) / 1_000);
    awaySince = null;
    back.resolve();
    logger.info({ away_s: awayS }, 'event log available again');
  };

  const watch = async (): Promise<void> => {
    probing = true;
    for (let delay = FIRST_MS; !closed.signal.aborted; delay = Math.min(MAX_MS, delay * 2)) {
      const failure = await probe().then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (failure === null || !(failure.error instanceof LogUnavailableError)) break;
      if (awaySince === null && !closed.signal.aborted) begin(failure.error);
      await sleep(delay, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
    }
    probing = false;
    end();
  };

  return {
    isUnavailable: () => awaySince !== null,
    answers: async (withinMs) => {
      if (awaySince !== null) return false;
      const failure = await Promise.race([
        probe().then(
          () => null,
          (error: unknown) => error,
        ),
        sleep(withinMs, new LogUnavailableError(`no answer within ${withinMs} ms`), { ref: false }),
      ]);
      if (!(failure instanceof LogUnavailableError)) return true;
      if (awaySince === null) begin(failure);
      if (!probing) void watch();
      return false;
    },
    failed: (error) => {
      if (error instanceof LogUnavailableError && !probing && !closed.signal.aborted) void watch();
    },
    untilBack: async (signal) => {
      if (awaySince === null || signal.aborted) return;
      const stopped = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([back.promise, stopped]);
    },
    close: () => {
      closed.abort();
      back.resolve();
    },
  };
};

/** @throws {LogUnavailableError} while the disk has too little space for events. */
export type CheckSpace = () => void;

/** A log that takes nothing while the disk has too little space. It can be read. */
export const withSpace = (log: EventLog, check: CheckSpace): EventLog => ({
  ...log,
  append: async (...args) => {
    check();
    return log.append(...args);
  },
  appendMany: async (...args) => {
    check();
    return log.appendMany(...args);
  },
});

/** A log that reports its failures to an availability monitor. */
export const withAvailability = (log: EventLog, availability: LogAvailability): EventLog => {
  const reporting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      availability.failed(error);
      throw error;
    }
  };
  async function* reportingPages(pages: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
    try {
      yield* pages;
    } catch (error) {
      availability.failed(error);
      throw error;
    }
  }
  return {
    ...log,
    append: (...args) => reporting(log.append(...args)),
    appendMany: (...args) => reporting(log.appendMany(...args)),
    readStream: (...args) => reporting(log.readStream(...args)),
    readAll: (...args) => reportingPages(log.readAll(...args)),
    subscribe: (...args) => reportingPages(log.subscribe(...args)),
    head: () => reporting(log.head()),
  };
};
