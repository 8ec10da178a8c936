import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { callerOf } from '../../kernel/cidr.ts';
import { requestId } from '../../kernel/ids.ts';

/** What callers may take, whatever they do. */
export interface Limits {
  /** Milliseconds for the headers of a request, and for all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Milliseconds for taking an answer, from when its request came. */
  readonly answerMs: number;
  /** Milliseconds that requests under way are waited for when the server stops. */
  readonly closeMs: number;
  /** Connections at once from one address. */
  readonly perAddress: number;
}

export const LIMITS: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  answerMs: 60_000,
  closeMs: 5_000,
  perAddress: 1_024,
};

/** How often connections are looked at. */
const CHECK_MS = 500;

/** The same for the server. */
export const serverOptions = ({ headersMs, requestMs }: Limits) => ({
  http: { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: CHECK_MS },
  requestTimeout: requestMs,
});

/** What has been sent to a caller who is still sending is to reach it before the connection is cut. */
const LINGER_MS = 1_000;

/** Ends a connection: what is said last can be read for a moment, what still comes is thrown away. */
const part = (socket: Socket, last = ''): void => {
  if (socket.writable) socket.end(last);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};

/** Says why, in the shape of every failure, and ends the connection. */
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

/** Whether a body follows the request's headers. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/**
 * Has a connection end with the answer to this request, whose body nobody will read. Closed at once, it would be reset,
 * and a caller who is still sending might never see the answer.
 */
export const endAfter = ({ socket }: IncomingMessage): void => {
  socket.destroySoon = () => part(socket);
};

/**
 * Bounds how many connections an address has, and how long an answer may be left unread.
 * @param isExempt whose connections are many callers': a proxy has to bound those itself.
 * @returns what ends that.
 */
export const guardConnections = (
  server: Server,
  limits: Limits,
  isExempt: (address: string) => boolean,
): (() => void) => {
  /** When the last request of each open connection came. */
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
        `Your address has ${limits.perAddress} connections open: use those.`,
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
