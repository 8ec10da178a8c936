import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts';
import { refuseConnection } from './connections.ts';
import type { Methods } from './methods.ts';

/** An error of Node's HTTP parser. */
interface ParseError {
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
    // Its time is checked again and again.
    if (refused.has(socket)) return;
    refused.add(socket);
    void lateHeaders(response.req).then((late) => refuseConnection(socket, status, code, message, late));
  };
};

/** Responds to requests that Node would answer itself, or not at all. */
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
