import { connect, type Socket } from 'node:net';
import { serve } from './child.ts';

/**
 * A load generator in a process of its own: keep-alive connections that each send the next request when the answer
 * to the last has come. It parses no more of an answer than its status and length, so that the processor is the
 * servers'.
 */
export interface LoadQuestion {
  readonly url: string;
  readonly connections: number;
  readonly ms: number;
  /** Sends one request with each key, in order, instead of random ones for a time. */
  readonly eachKey?: boolean;
  /** With `{}` where a random one of the names goes. */
  readonly path: string;
  /** JSON that is posted, likewise; without one the requests are GETs. */
  readonly body?: string;
  readonly names: readonly string[];
  /** API keys, of which each request carries a random one; none where it is empty. */
  readonly keys: readonly string[];
}

export interface LoadAnswer {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

const LENGTH = /\r\ncontent-length: (\d+)/i;

/** One connection; `taken` is told the milliseconds of each answer, and returns whether to go on. */
const drive = (question: LoadQuestion, keyOf: () => number, taken: (ms: number) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(question.url);
    const tails = (question.keys.length === 0 ? [null] : question.keys).map(
      (key) => ` HTTP/1.1\r\nhost: ${host}\r\n${key === null ? '' : `authorization: Bearer ${key}\r\n`}\r\n`,
    );
    const { body } = question;
    let began = 0;
    let missing = 0;
    const send = (socket: Socket) => {
      const name = question.names[Math.floor(Math.random() * question.names.length)];
      began = performance.now();
      const path = question.path.replaceAll('{}', String(name));
      const tail = tails[keyOf()] as string;
      if (body === undefined) {
        socket.write(`GET ${path}${tail}`);
        return;
      }
      const sent = body.replaceAll('{}', String(name));
      const described = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(sent)}\r\n\r\n`;
      socket.write(`POST ${path}${tail.slice(0, -2)}${described}${sent}`);
    };
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    socket.once('connect', () => send(socket));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (missing === 0) {
        const head = chunk.toString('latin1', 0, 2_048);
        const end = head.indexOf('\r\n\r\n');
        const length = LENGTH.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || end < 0 || length === undefined) {
          socket.destroy();
          reject(new Error(`not the answer that was expected: ${head.slice(0, 500)}`));
          return;
        }
        missing = end + 4 + Number(length);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      if (taken(performance.now() - began)) send(socket);
      else {
        socket.destroy();
        resolve();
      }
    });
  });

const load = async (question: LoadQuestion): Promise<LoadAnswer> => {
  const latencies: number[] = [];
  const began = performance.now();
  const until = began + question.ms;
  const keys = Math.max(1, question.keys.length);
  let next = 0;
  const keyOf = question.eachKey ? () => next++ : () => Math.floor(Math.random() * keys);
  const taken = (ms: number) => {
    latencies.push(ms);
    return question.eachKey ? next < keys : performance.now() < until;
  };
  const connections = Math.min(question.connections, question.eachKey ? keys : question.connections);
  await Promise.all(Array.from({ length: connections }, () => drive(question, keyOf, taken)));
  const seconds = (performance.now() - began) / 1_000;
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
};

if (import.meta.main) serve(load);
