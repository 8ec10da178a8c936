import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';

/** The parts of a gRPC error used here. */
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

export const ACCESS = 'EventStoreDB denied access: check user and password of EVENT_LOG_URL';

/** Text of a definite rejection; null if the failure may be transient or the outcome is unknown. */
const refusalOf = (error: CallError): string | null => {
  const exception = exceptionOf(error);
  if (error.code === UNAUTHENTICATED || error.code === PERMISSION_DENIED || exception === 'access-denied') {
    return ACCESS;
  }
  if (exception === 'stream-deleted') return 'the stream was hard-deleted';
  if (error.code === INVALID_ARGUMENT) {
    return 'EventStoreDB can resume only at 0, at the position of an event, or at the one before it';
  }
  return null;
};

/** OpenSSL's reasons for a chain that ends at no authority that is trusted, and at a certificate that signed itself. */
const UNKNOWN_AUTHORITY =
  /unable to verify the first certificate|unable to get (?:local )?issuer certificate|self[- ]signed certificate(?: in certificate chain)?/i;

/** No trusted authority signed a node's certificate. Permanent until settings or certificates are changed. */
export class UnknownAuthorityError extends LogUnavailableError {
  constructor(reason: string, options: { readonly cause: unknown }) {
    super(
      `an unknown authority signed the certificate of a node (${reason}): set tlsCAFile in EVENT_LOG_URL to the PEM file ` +
        "of the authority's certificate, as ?tlsCAFile=/etc/eventstore/ca.crt",
      options,
    );
  }
}

/** Converts an error of a call into one of the port's. */
export const portError = (error: unknown): LogRequestRejectedError | LogUnavailableError => {
  if (error instanceof LogRequestRejectedError || error instanceof LogUnavailableError) return error;
  const refusal = refusalOf(error as CallError);
  if (refusal !== null) return new LogRequestRejectedError(refusal, { cause: error });
  const why = (error as CallError).message ?? String(error);
  const [unknown] = UNKNOWN_AUTHORITY.exec(why) ?? [];
  if (unknown !== undefined) return new UnknownAuthorityError(unknown, { cause: error });
  return new LogUnavailableError(`EventStoreDB is unavailable: ${why}`, { cause: error });
};

/** Whether a node ended a live subscription because its reader lagged by more than 32 events. */
export const isTooSlow = (error: unknown): boolean => {
  const { cause = error } = error as { cause?: unknown };
  return (cause as CallError).code === ABORTED && /too slow/i.test((cause as CallError).message ?? '');
};

/** Rejects with {@link LogUnavailableError} on timeout; the operation continues unless `late` ends it. */
export const within = async <T>(ms: number, promise: Promise<T>, late?: () => void): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new LogUnavailableError(`EventStoreDB is unavailable: no response within ${ms} ms`));
      late?.();
    }, ms);
  });
  try {
    return await Promise.race([promise, passed]);
  } finally {
    clearTimeout(timer);
  }
};
