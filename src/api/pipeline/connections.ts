import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { callerOf } from '../../kernel/cidr.ts';
import { requestId } from '../../kernel/ids.ts';

/** Limits of connections. */
export interface Limits {
  /** Milliseconds for the headers of a request, and for the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Milliseconds for reading a response, from the arrival of its request. */
  readonly answerMs: number;
  /** Milliseconds on shutdown in which requests on kept connections are answered, with an error. */
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

/** Interval of the timeout checks. */
const CHECK_MS = 500;

/** The corresponding options of Node's server. */
export const serverOptions = ({ headersMs, requestMs }: Limits) => ({
  http: { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: CHECK_MS },
  requestTimeout: requestMs,
});

/** Time for the response to reach a caller that is still sending. */
const LINGER_MS = 1_000;

/** Ends a connection: the last bytes are flushed, further input is discarded. */
const part = (socket: Socket, last = ''): void => {
  if (socket.writable) socket.end(last);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};

/** Sends an error in the contract's shape and ends the connection. */
export const refuseConnection = (
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

/** Whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/**
 * Ends a connection after this response, since the request's body will not be read. Closing it at once would reset
 * it, and a caller that is still sending might lose the response.
 */
export const endAfter = ({ socket }: IncomingMessage): void => {
  socket.destroySoon = () => part(socket);
};

/**
 * Limits connections per address, and the time for reading a response.
 * @param isExempt addresses shared by many callers: proxies have to limit those themselves.
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
