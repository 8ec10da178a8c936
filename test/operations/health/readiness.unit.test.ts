import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { type Health, readinessOf } from '../../../src/operations/health/health.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const hangs = <T>(): Promise<T> => new Promise<T>(() => undefined);

const builds = {
  refresh: hangs,
  progress: () => ({ position: 5n, movedAtMs: Date.now(), stalled: false }),
} as unknown as Health['builds'];

/** A process of whose dependencies none answers. */
const hanging: Health = {
  serves: true,
  projects: false,
  builds,
  refresh: hangs,
  head: hangs,
  eventsBetween: hangs,
  stalls: hangs,
  parked: hangs,
  lagS: hangs,
  building: hangs,
  relayed: hangs,
  processes: hangs,
  evaluation: hangs,
  replica: hangs,
  parts: [() => ({ name: 'part', ok: true, detail: 'works' })],
};

describe('readiness', () => {
  it('is answered within the time for one check if nothing answers', async () => {
    const readiness = readinessOf(hanging, silentLogger);
    await vi.advanceTimersByTimeAsync(2_000);
    const { ready, checks } = await readiness;
    expect(ready).toBe(false);
    const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    expect(failed).toEqual(expect.arrayContaining(['database', 'event log', 'read replica']));
    expect(checks).toContainEqual({ name: 'part', ok: true, detail: 'works', critical: false });
  });

  it('is answered within that time if the log answers but its count of events does not', async () => {
    const readiness = readinessOf(
      { ...hanging, refresh: async () => undefined, head: async () => 9n },
      silentLogger,
    );
    await vi.advanceTimersByTimeAsync(2_000);
    const { checks } = await readiness;
    expect(checks).toContainEqual(expect.objectContaining({ name: 'database', ok: true }));
    expect(checks).toContainEqual(expect.objectContaining({ name: 'projection holders', ok: false }));
  });

  it('keeps an API ready while the log hangs, and reports unknown lags', async () => {
    const { replica: _, ...withoutReplica } = hanging;
    const idle = { refresh: async () => undefined, stalls: async () => [], parked: async () => [] };
    const readiness = async (health: Health) => {
      const answer = readinessOf(health, silentLogger);
      await vi.advanceTimersByTimeAsync(2_000);
      return answer;
    };
    const api = await readiness({ ...withoutReplica, ...idle });
    expect(api.ready).toBe(true);
    expect(api.checks).toContainEqual(
      expect.objectContaining({ name: 'event log', ok: false, critical: false }),
    );
    expect(api.checks).toContainEqual({
      name: 'projection holders',
      ok: true,
      critical: true,
      detail: 'its lag is unknown: the event log is unavailable',
    });
    const late = { ...withoutReplica, ...idle, head: async () => 9n };
    expect((await readiness(late)).ready).toBe(true);
    expect((await readiness({ ...late, serves: false, projects: true })).ready).toBe(false);
    const none = { progress: () => null };
    const unbuilt = { ...builds, ...none, withStandIns: none } as unknown as Health['builds'];
    expect((await readiness({ ...withoutReplica, ...idle, builds: unbuilt })).ready).toBe(false);
  });
});
