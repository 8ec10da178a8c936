import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../support/child.ts';

/** Starts a network before platforms, or null: what has passed since the last question. */
export type NetworkQuestion = { readonly to: string; readonly latencyMs: number } | null;

export interface NetworkAnswer {
  readonly url: string;
  readonly requests: number;
  /** Time in which at least one request was on its way, ms. */
  readonly busyMs: number;
}

let server: Server | undefined;
let passed: [from: number, to: number][] = [];

const agent = new Agent({ keepAlive: true });

/** Forwards a request late, as a network does. */
const forward = async (
  { to, latencyMs }: Exclude<NetworkQuestion, null>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const began = performance.now();
  response.once('close', () => passed.push([began, performance.now()]));
  await sleep(latencyMs);
  const { method = 'GET', headers, url = '/' } = request;
  const { host: _, ...rest } = headers;
  const forwarded = send(new URL(url, to), { agent, method, headers: rest }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.once('error', () => response.destroy());
  request.pipe(forwarded);
};

/** Length of the union of the intervals. */
const unionOf = (intervals: readonly (readonly [number, number])[]): number => {
  let [sum, reached] = [0, 0];
  for (const [from, to] of intervals.toSorted(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
};

const answer = async (question: NetworkQuestion): Promise<NetworkAnswer> => {
  if (question !== null) {
    server = createServer((request, response) => void forward(question, request, response));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  }
  if (server === undefined) throw new Error('the network was not started');
  const { port } = server.address() as AddressInfo;
  const since = passed;
  passed = [];
  return { url: `http://127.0.0.1:${port}`, requests: since.length, busyMs: unionOf(since) };
};

if (import.meta.main)
  serve(answer, async () => {
    agent.destroy();
    server?.closeAllConnections();
    server?.close();
  });
