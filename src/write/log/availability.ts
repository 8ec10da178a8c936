import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type EventLog, type EventPage, LogUnavailableError } from './port.ts';

/** Whether the event log answers: one view of it for all parts of a process, with one line when that changes. */
export interface LogAvailability {
  /** Whether it is known not to answer. */
  isUnavailable(): boolean;
  /** Asks the log now, where it is not known to be away, and waits for its answer for so long at the most. */
  answers(withinMs: number): Promise<boolean>;
  /** Told of a failure; only one that another call meets too makes the log count as away. */
  failed(error: unknown): void;
  /** Settles when the log answers, or the signal fires. */
  untilBack(signal: AbortSignal): Promise<void>;
  close(): void;
}

const FIRST_MS = 100;
const MAX_MS = 2_000;

/** @param probe asks the log for anything. */
export const createLogAvailability = (probe: () => Promise<unknown>, logger: Logger): LogAvailability => {
  const closed = new AbortController();
  let awaySince: number | null = null;
  let probing = false;
  let back = Promise.withResolvers<void>();

  const begin = (error: unknown): void => {
    awaySince = performance.now();
    back = Promise.withResolvers();
    logger.warn({ err: errorMessage(error) }, 'the event log does not answer: what needs it waits');
  };

  const end = (): void => {
    if (awaySince === null) return;
    const awayS = Math.round((performance.now() - awaySince) / 1_000);
    awaySince = null;
    back.resolve();
    logger.info({ away_s: awayS }, 'the event log answers again');
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

/** A log whose failures are told of. */
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
