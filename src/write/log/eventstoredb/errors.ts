import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';

/** A gRPC error, as far as it matters here. */
interface CallError {
  readonly code?: number;
  readonly message?: string;
  readonly metadata?: { getMap?(): Record<string, unknown> };
}

const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

const ABORTED = 10;

const exceptionOf = (error: CallError): string => String(error.metadata?.getMap?.().exception ?? '');

export const ACCESS = 'EventStoreDB does not let this user do that: check user and password of EVENT_LOG_URL';

/** What a definite no of the server means; null where the failure may pass, or what became of the call is not known. */
const refusalOf = (error: CallError): string | null => {
  const exception = exceptionOf(error);
  if (error.code === UNAUTHENTICATED || error.code === PERMISSION_DENIED || exception === 'access-denied') {
    return ACCESS;
  }
  if (exception === 'stream-deleted') return 'the stream was deleted for good';
  if (error.code === INVALID_ARGUMENT) {
    return 'EventStoreDB can read on only from 0, from a position that an event has, or from the one before it';
  }
  return null;
};

/** An error of a call as one of the port's. */
export const portError = (error: unknown): LogRequestRejectedError | LogUnavailableError => {
  if (error instanceof LogRequestRejectedError || error instanceof LogUnavailableError) return error;
  const refusal = refusalOf(error as CallError);
  if (refusal !== null) return new LogRequestRejectedError(refusal, { cause: error });
  const why = (error as CallError).message ?? String(error);
  return new LogUnavailableError(`EventStoreDB does not answer: ${why}`, { cause: error });
};

/** Whether a node ended a live subscription since its reader was more than 32 events behind. */
export const isTooSlow = (error: unknown): boolean => {
  const { cause = error } = error as { cause?: unknown };
  return (cause as CallError).code === ABORTED && /too slow/i.test((cause as CallError).message ?? '');
};

/** Rejects with {@link LogUnavailableError} where nothing comes in time; what was under way goes on, unless `late` ends it. */
export const within = async <T>(ms: number, promise: Promise<T>, late?: () => void): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new LogUnavailableError(`EventStoreDB does not answer: nothing within ${ms} ms`));
      late?.();
    }, ms);
  });
  try {
    return await Promise.race([promise, passed]);
  } finally {
    clearTimeout(timer);
  }
};
