import { expect, it } from 'vitest';
import { createCircuitBreaker } from '../../../src/crawlers/engine/circuit-breaker.ts';

const make = () => createCircuitBreaker({ threshold: 3, firstPauseMs: 1_000, maxPauseMs: 5_000 });

it('a circuit breaker passes everything until the threshold of consecutive failures', () => {
  const breaker = make();
  expect([breaker.failed(0, null, false), breaker.failed(0, null, false)]).toEqual([false, false]);
  expect([breaker.waitMs(0), breaker.isOpen()]).toEqual([0, false]);
  expect(breaker.failed(0, null, false)).toBe(true);
  expect([breaker.waitMs(0), breaker.waitMs(400), breaker.waitMs(1_000)]).toEqual([1_000, 600, 0]);
});

it('a circuit breaker forgets failures at a success', () => {
  const breaker = make();
  breaker.failed(0, null, false);
  breaker.failed(0, null, false);
  breaker.succeeded();
  breaker.failed(0, null, false);
  expect(breaker.isOpen()).toBe(false);
});

it('a circuit breaker opens at once when the platform limits requests, for as long as it asks', () => {
  const breaker = make();
  expect(breaker.failed(0, 90_000, true)).toBe(true);
  expect(breaker.waitMs(0)).toBe(90_000);
});

it('a circuit breaker never waits less than its own pause, whatever the platform asks', () => {
  const breaker = make();
  breaker.failed(0, 1, true);
  expect(breaker.waitMs(0)).toBe(1_000);
});

it('a circuit breaker doubles its pause at every opening, up to a bound, and reports only the first', () => {
  const breaker = make();
  let now = 0;
  const pauses = [1, 2, 3, 4, 5].map(() => {
    const opened = breaker.failed(now, null, true);
    const pause = breaker.waitMs(now);
    now += pause;
    return [pause, opened];
  });
  expect(pauses).toEqual([
    [1_000, true],
    [2_000, false],
    [4_000, false],
    [5_000, false],
    [5_000, false],
  ]);
});

it('a circuit breaker ignores failures of requests in flight when it opened', () => {
  const breaker = make();
  breaker.failed(0, null, true);
  for (let i = 0; i < 10; i++) breaker.failed(10, null, true);
  expect(breaker.waitMs(10)).toBe(990);
});

it('a circuit breaker stays on trial after its pause until a success closes it', () => {
  const breaker = make();
  breaker.failed(0, null, true);
  expect([breaker.waitMs(2_000), breaker.isOpen()]).toEqual([0, true]);
  breaker.succeeded();
  expect(breaker.isOpen()).toBe(false);
  breaker.failed(2_000, null, true);
  expect(breaker.waitMs(2_000)).toBe(1_000);
});

it('a circuit breaker waits at most a day, whatever the platform asks', () => {
  const breaker = make();
  breaker.failed(0, 999_999_999_000, true);
  expect(breaker.waitMs(0)).toBe(86_400_000);
});

it('a circuit breaker is open while another process’s is, and closes with the first success after it', () => {
  const breaker = make();
  breaker.hold(7_000);
  expect([breaker.waitMs(0), breaker.isOpen()]).toEqual([7_000, true]);
  breaker.hold(3_000);
  expect(breaker.waitMs(0)).toBe(7_000);
  expect([breaker.waitMs(7_000), breaker.isOpen()]).toEqual([0, true]);
  breaker.succeeded();
  expect(breaker.isOpen()).toBe(false);
});
