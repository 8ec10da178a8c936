import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode, type ErrorKind, ServiceError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { isConnectionLost } from '../../kernel/postgres/connection-lost.ts';
import { shownIn } from '../../kernel/text.ts';
import { AdmissionTimeoutError } from '../../write/metering/admission.ts';
import type { HeaderSink } from './headers.ts';

export const statusOf = (code: keyof typeof ERRORS): number => STATUS[ERRORS[code].kind];

/** Converts any thrown value into an error with a documented code; unknown ones are `internal`. */
export const toServiceError = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : FASTIFY[code];
  if (known !== undefined) return known();
  if (statusCode === 400) return invalidBody(NOT_JSON, error);
  if (error instanceof AdmissionTimeoutError) {
    return new ServiceError('service_unavailable', 'Your plan could not be checked in time. Try again.', {
      retryAfterS: 5,
      cause: error,
    });
  }
  // Postgres is unavailable or its pool exhausted: the request is valid.
  if (isUnavailable(error)) {
    return new ServiceError('service_unavailable', 'The database is unavailable. Try again.', {
      retryAfterS: 2,
      cause: error,
    });
  }
  // The database rejected a value that validation should have caught.
  if (sqlState(error)?.startsWith('22') === true) {
    return new ServiceError('invalid_request', 'The request contains a value that can’t be searched for.', {
      cause: error,
    });
  }
  return new ServiceError('internal', 'Internal error.', { cause: error });
};

/** Sets the headers of every response. */
export const stamp = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.header('x-request-id', request.id).header('cache-control', 'private, no-cache');
};

/**
 * Sends an error in the contract's shape; internal details go to the log.
 * @param writeQuota writes the headers of the caller's quota, as far as it is known.
 */
export const errorSender =
  (logger: Logger, writeQuota: (request: FastifyRequest, raw: HeaderSink) => void) =>
  (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = toServiceError(thrown);
    // Fastify's own errors are raised before any hook.
    stamp(request, reply);
    writeQuota(request, reply.raw);
    const status = statusOf(failure.code);
    if (status >= 500) {
      const level = failure.code === 'internal' ? 'error' : 'warn';
      const { method, routeOptions } = request;
      logger[level](
        {
          request_id: request.id,
          err: failure.cause ?? failure,
          code: failure.code,
          internal: failure.internal,
          method,
          route: routeOptions.url,
        },
        'a request failed',
      );
    } else if (sqlState(failure.cause) !== undefined) {
      logger.warn(
        {
          request_id: request.id,
          err: failure.cause,
          code: failure.code,
          route: request.routeOptions.url,
        },
        'database rejected a value that passed validation',
      );
    } else {
      logger.debug(
        { request_id: request.id, code: failure.code, internal: failure.internal },
        'request failed',
      );
    }
    if (failure.retryAfterS !== undefined && (status === 503 || status === 429)) {
      reply.header('retry-after', String(failure.retryAfterS));
    }
    const { code, message, details } = failure;
    const error = { code, message, request_id: request.id, ...(details === undefined ? {} : { details }) };
    // Errors quote what was asked for.
    return reply.code(status).send({ error: shownIn(error) });
  };

/** HTTP status by kind of error. */
const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  method: 405,
  slow: 408,
  conflict: 409,
  too_large: 413,
  media_type: 415,
  unprocessable: 422,
  limited: 429,
  long_headers: 431,
  internal: 500,
  bad_upstream: 502,
  unavailable: 503,
  timeout: 504,
};

/** An error about one part of the request. */
const badPart = (code: ErrorCode, path: string, message: string, cause?: unknown): ServiceError =>
  new ServiceError(code, message, { details: [{ path, message }], cause });

const invalidBody = (message: string, cause?: unknown): ServiceError =>
  badPart('invalid_request', 'body', message, cause);

/** Fastify's parser also refuses fields that could change the prototype of objects. */
const NOT_JSON =
  'The body is not JSON, or has a forbidden field: `__proto__`, or `constructor` with `prototype`.';

/** Errors that Fastify raises before a handler runs. */
const FASTIFY: Readonly<Record<string, () => ServiceError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    badPart('media_type_unsupported', 'headers.content-type', 'Send the body as `application/json`.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => badPart('body_too_large', 'body', 'The body is larger than 256 KiB.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => invalidBody(NOT_JSON),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => invalidBody('The body is empty.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    badPart('invalid_request', 'headers.content-length', 'The body length does not match `Content-Length`.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    badPart('invalid_request', 'path', 'A part of the path is longer than 1,024 characters.'),
  FST_ERR_BAD_URL: () => badPart('invalid_request', 'path', 'The path is not a valid URL.'),
};

/** SQLSTATE of a failed query; undefined otherwise. */
const sqlState = (error: unknown): string | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
};

/** SQLSTATEs of a rolled-back transaction (40), lack of resources (53), cancellation (57), and a read-only server (25006). */
const AWAY = /^(40|53|57|25006)/;

const isUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || AWAY.test(sqlState(error) ?? '');
