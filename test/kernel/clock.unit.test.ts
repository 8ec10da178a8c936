import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLOCK_VARIABLE, paceOf, timeAt } from '../../src/kernel/clock.ts';

const ORIGIN = Date.UTC(2026, 0, 1);

describe('the pace of the clock', () => {
  it('is real time without a setting', () => {
    expect(paceOf(undefined)).toEqual(paceOf(''));
    for (const ms of [0, 1, ORIGIN + 7]) expect(timeAt(paceOf(undefined), ms)).toBe(ms);
  });

  it('starts at real time and multiplies from there', () => {
    const pace = paceOf(`${ORIGIN},48`);
    expect(timeAt(pace, ORIGIN)).toBe(ORIGIN);
    expect(timeAt(pace, ORIGIN + 1_800_000)).toBe(ORIGIN + 86_400_000);
    expect(timeAt(paceOf(`${ORIGIN},0.5`), ORIGIN + 3)).toBe(ORIGIN + 1);
  });

  it.each(['48', '1,0', '1,', 'now,48', '1,-2', '1,48,2'])('is refused as %s', (text) => {
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

  it('renews leases as often in clock time', () => {
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

  /** Mocked timers advance by 1 ms at a time, and what waits for them runs, until `done` returns true. */
  const TICKING = `import { mock } from 'node:test';
    import { syncBuiltinESMExports } from 'node:module';
    mock.timers.enable({ apis: ['setTimeout'] });
    // What was imported by name is mocked too.
    syncBuiltinESMExports();
    const ticksUntil = async (done) => {
      let ticks = 0;
      // It waits by now.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      for (; ticks < 10_000 && !done(); ticks++) {
        mock.timers.tick(1);
        await new Promise(setImmediate);
      }
      console.log(JSON.stringify(ticks));
      process.exit();
    };`;

  it.each([
    {
      what: 'a crawl without tokens asks again after the time in which one of its rate comes',
      // Half a token a second: again after a second of the clock.
      script: `import { createTokenBucket } from ${moduleOf('crawlers/engine/token-bucket.ts')};
        ${TICKING}
        let asked = 0;
        const db = { query: async () => ({ rows: [{ granted: 0, per_s: 0.5, paused_ms: 0 }], n: asked++ }) };
        void createTokenBucket(db, { perS: 0.5, liveShare: 0.5 }).take('x', 'crawl');
        await ticksUntil(() => asked === 2);`,
      real: 1_000 / 48,
    },
    {
      what: 'a feed that operators pause looks again after a second',
      script: `import { FeedEngine } from ${moduleOf('crawlers/marketplace/feed-engine.ts')};
        import { silentLogger } from ${moduleOf('kernel/logger.ts')};
        ${TICKING}
        let asked = 0;
        const engine = new FeedEngine({
          worker: 'w', log: {}, availability: { isUnavailable: () => false }, clock: { now: () => 0 }, retryMs: 1_000,
          db: { query: async () => ({ rows: [] }) }, source: 's', logger: silentLogger,
          controls: { engine: async () => { asked += 1; return { paused: true, ratePerS: 1 }; } },
        });
        void engine.run(new AbortController().signal);
        await ticksUntil(() => asked === 2);`,
      real: 1_000 / 48,
    },
    {
      what: 'maintenance of metering comes every five seconds',
      script: `import { startMaintenance } from ${moduleOf('write/metering/maintenance.ts')};
        import { silentLogger } from ${moduleOf('kernel/logger.ts')};
        ${TICKING}
        let asked = 0;
        const query = async () => { asked += 1; return { rows: [], rowCount: 0 }; };
        const db = { query, connect: async () => ({ query, release: () => undefined }) };
        startMaintenance({ db, log: {}, schema: () => null, plans: {}, logger: silentLogger });
        await ticksUntil(() => asked > 0);`,
      real: 5_000 / 48,
    },
  ])('$what, by the clock', ({ script, real }) => {
    expect(inProcess<number>(`${ORIGIN},48`, script)).toBe(Math.ceil(real));
  });

  it('repeats a request after the platform’s wait, by the clock', () => {
    const waits = inProcess<number[]>(
      `${ORIGIN},48`,
      `import { createServer } from 'node:http';
       import { createHttpClient } from ${moduleOf('crawlers/http/http-client.ts')};
       let asked = 0;
       const server = createServer((_, response) => {
         if (asked++ === 0) response.writeHead(503, { 'retry-after': '2' });
         response.end('page');
       });
       await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
       const waits = [];
       const client = createHttpClient({
         hostsOf: () => ['x.com'], userAgent: 'test', simulatorUrl: 'http://127.0.0.1:' + server.address().port,
         clock: { now: () => 0 }, random: { next: () => 0.5 }, sleep: async (ms) => { waits.push(ms); },
       });
       await client.fetch({ platform: 'x', url: 'https://x.com/nasa' });
       console.log(JSON.stringify(waits));
       process.exit();`,
    );
    expect(waits).toEqual([2_000 / 48]);
  });

  it('accepts a replaced key until its grace period ends, by the clock', () => {
    const leftMs = inProcess<number>(
      `${ORIGIN},48`,
      `import { createKeyReads } from ${moduleOf('read/holders.ts')};
       const row = { key_hash: 'a', key_id: 'k', holder: 'h', plan: null, scopes: [], revoked: false, left_ms: 48_000, allowlist: [] };
       const builds = { onRefresh: (refreshed) => refreshed(), progress: () => null, schema: () => 's' };
       const reads = createKeyReads({ query: async () => ({ rows: [row] }) }, builds, () => 7);
       console.log(JSON.stringify((await reads.find('a')).endsAtMs));`,
    );
    expect(leftMs).toBe(1_007);
  });
});
