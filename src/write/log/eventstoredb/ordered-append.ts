import { APPEND_BACKOFF, backoffMs } from '../../../kernel/backoff.ts';
import { pause, steadyMs } from '../../../kernel/retry.ts';
import type { Append } from '../port.ts';
import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';
import { APPEND_LIMITS, type AppendLimits } from './append.ts';
import { type AppendRequest, createAppendRequest } from './append-request.ts';
import { type BatchAppendCall, openBatchAppendCall, type Reply } from './batch-append-call.ts';
import type { Connection } from './connection.ts';
import { portError, within } from './errors.ts';

/** Unconfirmed appends at a time: enough that a node, which writes those that wait in one flush, never waits for the next. */
const MAX_IN_FLIGHT = 1_000;
const MAX_IN_FLIGHT_BYTES = 4 * 1024 * 1024;

/** An append whose stream is known to be at a certain revision: repeating it has no effect. */
export interface OrderedAppend extends Append {
  readonly expected: Exclude<Append['expected'], 'any'>;
}

interface InFlight {
  readonly stream: string;
  readonly bytes: number;
  readonly reply: Promise<Reply>;
}

/** One that exceeds an append fails when all before it have been confirmed, as one that the node refuses does. */
const sendOne = (call: BatchAppendCall, { stream, events, expected }: OrderedAppend): InFlight => {
  let request: AppendRequest;
  try {
    request = createAppendRequest(stream, events);
  } catch (error) {
    return { stream, bytes: 0, reply: Promise.reject(error) };
  }
  return { stream, bytes: request.bytes, reply: call.send(request, expected) };
};

/**
 * Appends that reach the log in their order across streams, with many in flight. A node handles the requests of one call
 * one after the other and writes them in that order, so that a call that breaks has written the first of them and none
 * of the others. All that are not confirmed are then sent again in their order over a new call. Each names the revision
 * that its stream must be at, so that the node recognizes those that it has, and so that two calls that carry the same
 * sequence, because the broken one is still being processed, result in that sequence.
 *
 * What the protocol cannot prevent is that a node refuses an append and writes later ones of other streams: a request is
 * conditional on its own stream only. A new call therefore carries a single append until that is confirmed, since a node
 * that starts refuses all until it is ready; the caller has to read back what was written.
 */
export const createOrderedAppender = (
  connection: Connection,
  { doubtMs, tryMs }: AppendLimits = APPEND_LIMITS,
) => {
  let current: BatchAppendCall | null = null;
  /** Whether an append over the current call was confirmed. */
  let isProven = false;

  const ready = async (): Promise<BatchAppendCall> => {
    if (current !== null && current.ended === undefined) return current;
    isProven = false;
    current = await openBatchAppendCall(connection);
    return current;
  };

  /** Sends appends in their order. `onConfirmed` is called for each, in their order, until one fails. */
  const send = async (
    appends: readonly OrderedAppend[],
    onConfirmed: () => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const call = await within(tryMs, ready());
    const inFlight: InFlight[] = [];
    let bytes = 0;
    let next = 0;
    let hasFailed = false;
    const fail = () => {
      hasFailed = true;
    };
    const isWanted = () =>
      next < appends.length &&
      !hasFailed &&
      (inFlight.length === 0 || (isProven && inFlight.length < MAX_IN_FLIGHT && bytes < MAX_IN_FLIGHT_BYTES));
    try {
      while (next < appends.length || inFlight.length > 0) {
        signal.throwIfAborted();
        while (isWanted() && call.full === null) {
          const sent = sendOne(call, appends[next++] as OrderedAppend);
          // Those after an append that failed are sent again with it.
          sent.reply.then(({ status }) => status === 'conflict' && fail(), fail);
          inFlight.push(sent);
          bytes += sent.bytes;
        }
        const [first] = inFlight;
        if (first === undefined || isWanted()) {
          // The buffer of the connection is full, which is less than may be in flight.
          await within(tryMs, Promise.race([call.full, first?.reply]));
          if (call.full === null || first === undefined) continue;
        }
        const reply = await within(tryMs, first.reply);
        if (reply.status === 'conflict') {
          throw new LogRequestRejectedError(
            `${first.stream} is at revision ${reply.revision ?? 'none'} and not where the append expects it`,
          );
        }
        isProven = true;
        inFlight.shift();
        bytes -= first.bytes;
        onConfirmed();
      }
    } catch (error) {
      call.abandon('an earlier append over the same call failed');
      throw error;
    }
  };

  return {
    /**
     * @throws {LogRequestRejectedError} if one is rejected or its stream is at another revision: those before it are in
     * the log, of those after it some may be.
     * @throws {LogUnavailableError} if the node answers none for longer than an append may be in doubt; likewise.
     */
    append: async (
      appends: readonly OrderedAppend[],
      { signal }: { readonly signal: AbortSignal },
    ): Promise<void> => {
      let confirmed = 0;
      let until = steadyMs() + doubtMs;
      for (let failures = 0; ; failures++) {
        const before = confirmed;
        try {
          await send(
            appends.slice(confirmed),
            () => {
              confirmed += 1;
            },
            signal,
          );
          return;
        } catch (error) {
          signal.throwIfAborted();
          const known = portError(error);
          if (known instanceof LogRequestRejectedError) throw known;
          if (confirmed > before) {
            failures = 0;
            until = steadyMs() + doubtMs;
          }
          if (steadyMs() > until) throw new LogUnavailableError('event log unavailable', { cause: error });
          await pause(backoffMs(APPEND_BACKOFF, failures), signal);
        }
      }
    },
  };
};
