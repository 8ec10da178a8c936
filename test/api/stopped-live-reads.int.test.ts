import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLATFORMS } from '../../infra/simulator/simulated-platforms.ts';
import { usageOf } from '../support/holders.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { until } from '../support/wait.ts';

let program: LiveProgram;
const stop = new AbortController();

beforeAll(async () => {
  program = await createLiveProgram({
    liveStop: stop.signal,
    sessions: Array.from({ length: 20 }, (_, i) => `guest${i}`),
  });
});
afterAll(async () => {
  stop.abort();
  await program.close();
});

it('a live read that a stop interrupts answers 503 with Retry-After, free, whatever it reads', async () => {
  const key = await program.issueKey();
  const { handle } = program.account('x', isOpen);
  const { handle: channel } = program.account('youtube', isOpen);
  const paths = [
    `/v2/accounts/x/${handle}/live`,
    `/v2/accounts/youtube/${channel}/live`,
    `/v2/scrape/x/user?handle=${handle}`,
    `/v2/scrape/x/tweets?handle=${handle}`,
    '/v2/scrape/x/tweet?id=1',
    `/v2/scrape/x/followers?handle=${handle}`,
    `/v2/scrape/youtube/verify?handle=${channel}`,
  ];
  for (const platform of PLATFORMS) program.simulator.faults.set(platform, 'timeout');
  // On a busy machine a read is refused before it asks the platform, or is over before the last one has asked.
  const untilStopped = async <T extends { readonly body: unknown }>(ask: () => Promise<T>): Promise<T> => {
    const answer = await ask();
    const isOver = /service_unavailable|platform_timeout/.test(JSON.stringify(answer.body));
    if (stop.signal.aborted || !isOver) return answer;
    await sleep(20);
    return untilStopped(ask);
  };
  const asked = paths.map((path) => untilStopped(() => program.get(path, key)));
  const batch = untilStopped(() =>
    program.post('/v2/scrape/x/users', { handles: [handle, `${handle}2`] }, key),
  );
  // Two accounts and a post of X, and a channel: equal reads share what they ask.
  const { x, youtube } = program.simulator.requests;
  await until('platforms are asked', () => x.faults >= 3 && youtube.faults >= 1);
  stop.abort();
  for (const { status, headers, body } of await Promise.all(asked)) {
    expect([status, body.error.code, headers['x-request-cost']]).toEqual([503, 'service_unavailable', '0']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  const items = await batch;
  expect(items.headers['x-request-cost']).toBe('0');
  expect(JSON.stringify(items.body)).toContain('service_unavailable');
  // What comes now is refused alike.
  const late = await program.get(paths[0] as string, key);
  expect([late.status, late.body.error.code]).toEqual([503, 'service_unavailable']);
  expect(await usageOf(program, 'tester')).toMatchObject({ budget_units: 0, live_calls: 0 });
});
