import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLOCK_VARIABLE, paceOf, timeAt } from '../../src/kernel/clock.ts';

const ORIGIN = Date.UTC(2026, 0, 1);

describe('the pace of the clock', () => {
  it('the clock shows the real time where no pace is set', () => {
    expect(paceOf(undefined)).toEqual(paceOf(''));
    for (const ms of [0, 1, ORIGIN + 7]) expect(timeAt(paceOf(undefined), ms)).toBe(ms);
  });

  it('a clock of a pace shows the real time at its origin and goes as many times as fast from there', () => {
    const pace = paceOf(`${ORIGIN},48`);
    expect(timeAt(pace, ORIGIN)).toBe(ORIGIN);
    expect(timeAt(pace, ORIGIN + 1_800_000)).toBe(ORIGIN + 86_400_000);
    expect(timeAt(paceOf(`${ORIGIN},0.5`), ORIGIN + 3)).toBe(ORIGIN + 1);
  });

  it.each(['48', '1,0', '1,', 'now,48', '1,-2', '1,48,2'])('the pace %s is refused', (text) => {
    expect(() => paceOf(text)).toThrow(RangeError);
  });
});

const moduleOf = (path: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../src/${path}`, import.meta.url)));

/** What a script prints as JSON in a process with this pace. */
const inProcess = <Printed>(pace: string, script: string): Printed => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, [CLOCK_VARIABLE]: pace },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Printed;
};

describe('a process with a pace in its environment', () => {
  it('takes its time, its ages and its waits from it', () => {
    const { before, now, after, steady, wait } = inProcess<{
      before: number;
      now: number;
      after: number;
      steady: [number, number, number];
      wait: number;
    }>(
      `${ORIGIN},48`,
      `import { systemClock, elapsedMs, realMs } from ${moduleOf('kernel/clock.ts')};
       const before = Date.now(); const now = systemClock.now(); const after = Date.now();
       const steady = [performance.now(), elapsedMs(), performance.now()];
       console.log(JSON.stringify({ before, now, after, steady, wait: realMs(4_800) }));`,
    );
    expect(now).toBeGreaterThanOrEqual(ORIGIN + (before - ORIGIN) * 48);
    expect(now).toBeLessThanOrEqual(ORIGIN + (after - ORIGIN) * 48);
    expect(steady[1]).toBeGreaterThanOrEqual(steady[0] * 48);
    expect(steady[1]).toBeLessThanOrEqual(steady[2] * 48);
    expect(wait).toBe(100);
  });

  it('renews the leases of claims as often in the time of the clock', () => {
    const renewals = inProcess<number[]>(
      `${ORIGIN},48`,
      `import { mock } from 'node:test';
       import { createClaimLeases } from ${moduleOf('write/metering/claim-leases.ts')};
       mock.timers.enable({ apis: ['setTimeout'] });
       let n = 0;
       const leases = createClaimLeases({ query: async () => { n += 1; } }, { warn: console.error }, 4_800);
       leases.hold({ holder: 'h', key: 'k' }, 'claim');
       const counts = [99, 1, 100].map((ms) => { mock.timers.tick(ms); return n; });
       console.log(JSON.stringify(counts));`,
    );
    expect(renewals).toEqual([0, 1, 2]);
  });

  it('accepts a replaced key until its grace period is over by the clock', () => {
    const leftMs = inProcess<number>(
      `${ORIGIN},48`,
      `import { createKeyReads } from ${moduleOf('read/holders/keys.ts')};
       const row = { key_hash: 'a', key_id: 'k', holder: 'h', plan: null, scopes: [], revoked: false, left_ms: 48_000, allowlist: [] };
       const builds = { onRefresh: (refreshed) => refreshed(), progress: () => null, schema: () => 's' };
       const reads = createKeyReads({ query: async () => ({ rows: [row] }) }, builds, () => 7);
       console.log(JSON.stringify((await reads.find('a')).endsAtMs));`,
    );
    expect(leftMs).toBe(1_007);
  });
});
