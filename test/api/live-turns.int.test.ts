import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Endpoint, readsPlatforms } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { laneOf } from '../../src/api/pipeline/endpoint-handler.ts';
import { type LiveLane, TURN_BOUNDS } from '../../src/api/pipeline/live-turns.ts';
import type { LiveCall } from '../../src/crawlers/live-read/live-queue.ts';
import { ServiceError } from '../../src/kernel/errors.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import { type Asked, ask } from '../support/asked-endpoints.ts';
import { usageOf } from '../support/holders.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

/** Calls whose live reading has begun and waits to be let go, by holder. */
const reading = new Map<string, Set<string>>();
let letGo: (() => void)[] = [];

const isCall = (given: unknown): given is LiveCall =>
  typeof given === 'object' && given !== null && 'requestId' in given && 'untilMs' in given;

let program: TestProgram;
let endpoints: readonly Endpoint[];
beforeAll(async () => {
  endpoints = (await loadEndpoints()).filter(readsPlatforms);
  program = await createTestProgram();
  const { live } = program.services;
  for (const method of ['read', 'readPosts', 'readPost', 'readListing', 'readFollowers'] as const)
    vi.spyOn(live, method).mockImplementation(async (...given: unknown[]): Promise<never> => {
      const { holder, requestId } = given.find(isCall) as LiveCall;
      const calls = reading.get(holder) ?? new Set();
      reading.set(holder, calls.add(requestId));
      await new Promise<void>((resolve) => letGo.push(resolve));
      calls.delete(requestId);
      throw new ServiceError('platform_timeout', 'The platform does not answer.');
    });
});
afterAll(() => program.close());

const readingOf = (holder: string): number => reading.get(holder)?.size ?? 0;

const exampleOf = ({ method, path, example }: Endpoint): Asked => ({
  method,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example.params?.[name] ?? ''),
  query: Object.fromEntries(Object.entries(example.query ?? {}).filter(([name]) => name !== 'max_age_s')),
  ...(example.body === undefined ? {} : { body: example.body }),
});

const LANES = Object.keys(TURN_BOUNDS.slots) as readonly LiveLane[];

describe.each(LANES)('of calls that read platforms as a %s', (lane) => {
  it(`at most ${TURN_BOUNDS.slots[lane]} of a holder run at once, and another holder is not held up`, async () => {
    const ofLane = endpoints.filter((endpoint) => laneOf(endpoint) === lane);
    expect(ofLane.length).toBeGreaterThan(3);
    for (const endpoint of ofLane) {
      const [busy, other] = [`busy-${endpoint.operation}`, `other-${endpoint.operation}`];
      const busyKey = await program.issueKey(SCOPES, { holder: busy });
      const otherKey = await program.issueKey(SCOPES, { holder: other });
      const request = exampleOf(endpoint);
      const asked = Array.from({ length: TURN_BOUNDS.slots[lane] + 2 }, () => ask(program, request, busyKey));
      await until(`${endpoint.operation} reads`, () => readingOf(busy) === TURN_BOUNDS.slots[lane]);
      asked.push(ask(program, request, otherKey));
      // It came last, and reads: what still waits of the busy holder had its chance.
      await until(`${endpoint.operation} reads for another holder`, () => readingOf(other) === 1);
      expect(readingOf(busy), endpoint.operation).toBe(TURN_BOUNDS.slots[lane]);
      const answers = Promise.all(asked);
      let isDone = false;
      void answers.then(() => {
        isDone = true;
      });
      await until(`${endpoint.operation} is answered`, () => {
        expect(readingOf(busy), endpoint.operation).toBeLessThanOrEqual(TURN_BOUNDS.slots[lane]);
        for (const go of letGo.splice(0)) go();
        return isDone;
      });
      for (const { status } of await answers) expect([200, 504], endpoint.operation).toContain(status);
      const usage = await usageOf(program, busy);
      if ((await answers).every(({ status }) => status === 504))
        expect(usage).toMatchObject({ live_calls: 0 });
    }
    letGo = [];
  });
});

describe('GET /v2/', () => {
  it('says of each endpoint how many requests to platforms a call may send: none if it reads none', async () => {
    const { body } = await program.get('/v2/', await program.issueKey(SCOPES));
    const stated = new Map<string, number>(
      body.data.endpoints.map(
        ({ operation, upstream_reads }: { operation: string; upstream_reads: number }) => [
          operation,
          upstream_reads,
        ],
      ),
    );
    for (const endpoint of await loadEndpoints()) {
      const { operation, meter, upstreamReads = 0, tool, needsLiveRead } = endpoint;
      expect(stated.get(operation), operation).toBe(upstreamReads);
      if (meter !== 'live' && needsLiveRead === undefined) expect(upstreamReads, operation).toBe(0);
      if (meter === 'live' && tool === undefined) expect(upstreamReads, operation).toBeGreaterThan(0);
    }
  });
});
