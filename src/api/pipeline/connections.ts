import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { callerOf } from '../../kernel/cidr.ts';
import { ERRORS, type ErrorCode, ServiceError } from '../../kernel/errors.ts';
import { requestId } from '../../kernel/ids.ts';
import type { Methods } from './methods.ts';

/** Limits of connections. */
export interface Limits {
  /** Milliseconds for receiving the headers of a request, and the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Milliseconds in which a caller must read a response, from the arrival of its request. */
  readonly answerMs: number;
  /** Milliseconds on shutdown in which further requests on open connections are answered with an error. */
  readonly drainMs: number;
  /** Milliseconds after that for requests in flight. */
  readonly closeMs: number;
  /** Concurrent connections per address. */
  readonly perAddress: number;
}

export const LIMITS: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  answerMs: 60_000,
  drainMs: 500,
  closeMs: 3_500,
  perAddress: 1_024,
};

/** The corresponding options of Node's server. */
export const serverOptions = ({ headersMs, requestMs }: Limits) => ({
  http: {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: CHECK_MS,
    // Node would answer a request without `Host` in its own shape: `headerFault` refuses it.
    requireHostHeader: false,
  },
  requestTimeout: requestMs,
});

/** Whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** Headers of which Node reads the first and drops others, where what is in front of this server may read the last. */
const SINGLE: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);

/** The error of a request that gives such a header twice, or no `Host` (RFC 9112, 3.2); null if it does neither. */
export const headerFault = ({ rawHeaders, httpVersionMinor }: IncomingMessage): ServiceError | null => {
  const given = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (given.has(name)) return badHeader(name, 'is given more than once');
    given.add(name);
  }
  return given.has('host') || httpVersionMinor === 0 ? null : badHeader('host', 'is missing');
};

const badHeader = (name: string, fault: string): ServiceError =>
  new ServiceError('invalid_request', `The header ${name} ${fault}.`, {
    details: [{ path: `headers.${name}`, message: fault }],
  });

/**
 * Ends a connection after this response, since the request's body will not be read. Closing it at once would reset
 * it, and a caller that is still sending might lose the response.
 */
export const endAfter = ({ socket }: IncomingMessage): void => {
  socket.destroySoon = () => part(socket);
};

/**
 * Limits connections per address, and the time for reading a response.
 * @param isExempt whether many callers share an address: a trusted proxy, which has to limit them itself.
 * @returns a function that stops the checks.
 */
export const guardConnections = (
  server: Server,
  limits: Limits,
  isExempt: (address: string) => boolean,
): (() => void) => {
  /** Arrival of the last request, by open connection. */
  const open = new Map<Socket, number>();
  const counts = new Map<string, number>();

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    open.set(socket, performance.now());
    socket.once('close', () => open.delete(socket));
    if (isExempt(address)) return;
    const caller = callerOf(address);
    const count = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, count);
    socket.once('close', () => {
      const left = (counts.get(caller) ?? 1) - 1;
      if (left === 0) counts.delete(caller);
      else counts.set(caller, left);
    });
    if (count > limits.perAddress) {
      refuseConnection(
        socket,
        '429 Too Many Requests',
        'rate_limited',
        `Your address has ${limits.perAddress} connections open: reuse them.`,
        'Retry-After: 1\r\n',
      );
    }
  });
  server.on('request', ({ socket }: IncomingMessage) => open.set(socket, performance.now()));
  const timer = setInterval(() => {
    const since = performance.now() - limits.answerMs;
    for (const [socket, at] of open) if (at < since && socket.writableLength > 0) socket.destroy();
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
};

/**
 * Responds to requests that Node's parser rejects, in the contract's shape, and ends the connection.
 * @param lateHeaders further headers for a request whose body does not arrive in time, each with its line end.
 */
export const refuseMalformed = (
  methods: Methods,
  lateHeaders: (request: IncomingMessage) => Promise<string> = async () => '',
) => {
  const refused = new WeakSet<Socket>();
  return (error: ParseError, socket: Socket): void => {
    const response = responseOf(socket);
    // A response is partially sent: anything more would be read as part of it.
    if (response?.headersSent === true) {
      socket.destroy();
      return;
    }
    const { status, code, message, headers = '' } = refusalOf(error, methods);
    if (code !== 'request_timeout' || response === null) {
      refuseConnection(socket, status, code, message, headers);
      return;
    }
    // Node checks the timeout repeatedly.
    if (refused.has(socket)) return;
    refused.add(socket);
    void lateHeaders(response.req).then((late) => refuseConnection(socket, status, code, message, late));
  };
};

/** Answers requests that Node would answer itself, or not at all. */
export const answerOddities = (server: Server): void => {
  // CONNECT is not supported.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const headers = 'Allow: GET, HEAD, POST\r\n';
    refuseConnection(
      socket,
      '405 Method Not Allowed',
      'method_not_allowed',
      ERRORS.method_not_allowed.title,
      headers,
    );
  });
  // Unknown expectations may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
};

/** Interval of the timeout checks. */
const CHECK_MS = 500;

/** How long a connection stays open for a response to reach a caller that is still sending. */
const LINGER_MS = 1_000;

/** Ends a connection: the last bytes are flushed, further input is discarded. */
const part = (socket: Socket, last = ''): void => {
  if (socket.writable) socket.end(last);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};

/** Sends an error in the contract's shape and ends the connection. */
const refuseConnection = (
  socket: Socket,
  status: string,
  code: string,
  message: string,
  headers = '',
): void => {
  const id = requestId();
  const body = JSON.stringify({ error: { code, message, request_id: id } });
  part(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nCache-Control: private, no-cache\r\n${headers}Connection: close\r\n\r\n${body}`,
  );
};

/** An error of Node's HTTP parser. */
export interface ParseError {
  readonly code?: string;
  /** A buffer; the framework's types don't say so. */
  readonly rawPacket?: unknown;
}

/** Response to such a request. */
interface Refusal {
  readonly status: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers?: string;
}

const NOT_HTTP: Refusal = {
  status: '400 Bad Request',
  code: 'invalid_request',
  message: 'This is not a valid HTTP request.',
};

const byMethod = (methods: Methods, target: string): Refusal => {
  const allow = methods.allowed(target);
  return allow === null
    ? { status: '404 Not Found', code: 'route_not_found', message: ERRORS.route_not_found.title }
    : {
        status: '405 Method Not Allowed',
        code: 'method_not_allowed',
        message: `This endpoint accepts ${allow}.`,
        headers: `Allow: ${allow}\r\n`,
      };
};

/** A request line with any token as method (RFC 9110, 9.1). */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64} (\S{1,16384}) HTTP\/1\.[01]\r\n/;

/** More than the maximum head size of Node's parser. */
const MAX_LINE = 20_000;

const refusalOf = (error: ParseError, methods: Methods): Refusal => {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: '408 Request Timeout',
        code: 'request_timeout',
        message: 'The request did not arrive in time.',
      };
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        code: 'headers_too_large',
        message: 'The request line and headers are larger than 16 KiB.',
      };
    case 'HPE_INVALID_METHOD': {
      // The parser only knows registered methods.
      const { rawPacket: packet } = error;
      const line = Buffer.isBuffer(packet) ? packet.toString('latin1', 0, MAX_LINE) : '';
      const target = REQUEST_LINE.exec(line)?.[1];
      return target === undefined ? NOT_HTTP : byMethod(methods, target);
    }
    default:
      return NOT_HTTP;
  }
};

/** The response that a connection waits for, if there is one. */
const responseOf = (socket: Socket): ServerResponse | null =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
