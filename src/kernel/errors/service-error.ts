import type { ErrorCode } from './codes.ts';

/** An invalid part of the input: its path and the problem. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  /** Of a handle that its account has left: the present one, or `id:` and the native ID. */
  readonly renamed_to?: string;
  /** Of an account that the catalog lacks: whether crawlers will read it, and why not. */
  readonly queued?: boolean;
  readonly queued_reason?: string;
  /** Of what can't be read: why. */
  readonly reason?: string;
}

/**
 * An error with a documented code. `message` is for callers; `internal` and `cause` are for the log and never leave
 * the process.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterS: number | undefined;
  readonly internal: string | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: readonly ErrorDetail[] | undefined;
      retryAfterS?: number | undefined;
      internal?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = more.details;
    this.retryAfterS = more.retryAfterS;
    this.internal = more.internal;
  }
}
