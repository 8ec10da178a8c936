import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../infra/simulator/server.ts';
import type { Browser } from '../../../src/crawlers/browser/browser.ts';
import { createRenderer } from '../../../src/crawlers/browser/renderer.ts';
import { createRenderingHttp } from '../../../src/crawlers/browser/rendering-http.ts';
import { createHttpClient } from '../../../src/crawlers/http/http-client.ts';
import type { Transport } from '../../../src/crawlers/http/port.ts';
import { createRegistry, type Registry } from '../../../src/crawlers/platforms/registry.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { CHROMIUM, startTestChromium } from '../../support/chromium.ts';
import { faultCount } from '../../support/faults.ts';
import { until } from '../../support/wait.ts';
import { type RenderedSite, startRenderedSite } from './site.ts';

const WWW = '/www.tiktok.com';
const MIB = 1024 * 1024;

/** A renderer has 800 MiB at most whenever its memory is looked at, which is late while the processors are busy. */
const MOST_BYTES = 1_200 * MIB;

/** A page is read that long after its last request: on a busy machine its script begins, and shows what it received, late. */
const QUIET_MS = 1_000;

/** A page that is complete once its data is there. */
const GOOD = '<p id="p"></p><script>fetch("/data").then(() => { p.textContent = "here" })</script>';

/** Pages whose memory grows for as long as they are rendered: a request of theirs is never answered. */
const GROWING = {
  '@heap': 'const kept = []; while (true) kept.push(new Array(1e6).fill(kept.length + 0.5));',
  '@memory':
    'fetch("/never"); const kept = []; setInterval(() => kept.push(new Uint8Array(5e7).fill(1)), 5);',
  '@elements':
    'fetch("/never"); const p = "<p>" + "x".repeat(1e6); setInterval(() => document.body.insertAdjacentHTML("beforeend", p.repeat(20)), 1);',
} as const;

describe.skipIf(CHROMIUM === undefined)('the limits of pages', () => {
  const browsers: Browser[] = [];
  let site: RenderedSite;
  /** Renders for as long as it takes: on a slow machine memory grows slowly. */
  let patient: RenderedSite;
  let mostBytes = 0;
  /** Memory below which the renderer learns of none, as if it never looked in time. */
  let unseenBytes = 0;
  const startMeasured = async (): Promise<Browser> => {
    const browser = await startTestChromium();
    const memoryBytes = async () => {
      const used = await browser.memoryBytes();
      mostBytes = Math.max(mostBytes, used ?? 0);
      return (used ?? 0) < unseenBytes ? null : used;
    };
    return { ...browser, memoryBytes };
  };
  beforeEach(() => {
    mostBytes = 0;
    unseenBytes = 0;
  });
  beforeAll(async () => {
    site = await startRenderedSite({
      // Long enough for a browser to start on a busy machine. No page is cut short: the large one always fails.
      limits: { quietMs: QUIET_MS, settleMs: 60_000, totalMs: 45_000 },
      start: async () => {
        const browser = await startMeasured();
        browsers.push(browser);
        return browser;
      },
    });
    patient = await startRenderedSite({
      limits: { quietMs: QUIET_MS, settleMs: 300_000, totalMs: 300_000 },
      start: startMeasured,
    });
    for (const each of [site, patient]) {
      each.serve(`${WWW}/@good`, GOOD);
      each.serve(`${WWW}/data`, { type: 'application/json', body: '{}' });
      each.serve(`${WWW}/@large`, '<script>fetch("/large")</script>');
      each.serve(`${WWW}/large`, { type: 'application/json', body: ' '.repeat(500 * MIB) });
    }
    site.serve(`${WWW}/@endless`, '<script>while (true);</script>');
    patient.serve(`${WWW}/never`, { body: '', after: new Promise(() => undefined) });
    for (const [name, script] of Object.entries(GROWING))
      patient.serve(`${WWW}/${name}`, `<script>${script}</script>`);
  });
  afterAll(async () => {
    await site.close();
    await patient.close();
  });

  it('end 3 endless or 500 MB pages of many, and no others', {
    tags: ['faults', 'long'],
  }, async () => {
    const pages = faultCount(60, 12);
    const bad = new Map([
      [pages / 4, '@endless'],
      [pages / 2, '@large'],
      [pages * 0.75, '@endless'],
    ]);
    const ended: string[] = [];
    let longestMs = 0;
    for (let n = 0; n < pages; n++) {
      const name = bad.get(n) ?? '@good';
      const startedAt = performance.now();
      const page = await site.render(`${WWW}/${name}`).catch((error) => {
        expect(error).toMatchObject({ name: 'FetchError' });
        ended.push(name);
        return null;
      });
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      if (name === '@good') expect(page?.body, `page ${n}`).toContain('<p id="p">here</p>');
    }
    expect(ended).toEqual(['@endless', '@large', '@endless']);
    expect(mostBytes).toBeLessThan(MOST_BYTES);
    // Each of them lost its browser, and one was replaced after every 50 pages.
    expect(browsers.length).toBeLessThanOrEqual(8);
    expect(browsers.filter((browser) => browser.isRunning()).length).toBe(1);
    const [seconds, mib] = [(longestMs / 1000).toFixed(1), Math.round(mostBytes / MIB)];
    console.log(`${pages} pages: at most ${seconds} s each and ${mib} MiB, ${browsers.length} browsers`);
  });

  it.for(Object.keys(GROWING))('end %s whose memory grows', { tags: 'long' }, async (name) => {
    await expect(patient.render(`${WWW}/${name}`)).rejects.toMatchObject({ reason: 'too_large' });
    expect((await patient.render(`${WWW}/@good`)).body).toContain('here');
    expect(mostBytes).toBeLessThan(MOST_BYTES);
  });

  it('end a page whose memory grows unseen, by the kernel’s limit', { tags: 'long' }, async () => {
    unseenBytes = 2 * MOST_BYTES;
    await expect(patient.render(`${WWW}/@elements`)).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('crashed'),
    });
    expect(mostBytes).toBeLessThan(MOST_BYTES);
  });

  it('end a page of 500 MB at its size, and an endless one at its time', {
    tags: ['faults', 'long'],
  }, async () => {
    await expect(patient.render(`${WWW}/@large`)).rejects.toMatchObject({ reason: 'too_large' });
    await expect(site.render(`${WWW}/@endless`)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('lose one page if a browser is killed while others are rendered', { tags: 'long' }, async () => {
    const running: Browser[] = [];
    const two = await startRenderedSite({
      concurrency: 2,
      limits: { totalMs: 300_000, settleMs: 60_000 },
      start: async () => {
        const browser = await startTestChromium();
        running.push(browser);
        return browser;
      },
    });
    try {
      const killed = Promise.withResolvers<void>();
      two.serve(
        `${WWW}/@waiting`,
        '<p id="p"></p><script>fetch("/data").then(() => { p.textContent = "here" })</script>',
      );
      two.serve(`${WWW}/data`, { type: 'application/json', body: '{}', after: killed.promise });
      const pages = Array.from({ length: 8 }, () => two.render(`${WWW}/@waiting`).then(({ body }) => body));
      const settled = Promise.allSettled(pages);
      const waiting = () => two.asked().filter((path) => path.endsWith('/data')).length;
      await until('both browsers have a page that waits for its data', () => waiting() === 2);
      running[0]?.kill();
      await until('the browser has ended', () => running[0]?.isRunning() === false);
      killed.resolve();
      const lost = (await settled).filter(({ status }) => status === 'rejected');
      expect(lost.length).toBe(1);
      expect(lost[0]).toMatchObject({ reason: { reason: 'http_error' } });
    } finally {
      await two.close();
    }
    await until('no browser is left', () => running.every((browser) => !browser.isRunning()));
  });
});

describe.skipIf(CHROMIUM === undefined)('an account whose pages need JavaScript', () => {
  let simulator: Simulator;
  let registry: Registry;
  let http: Transport;
  const outcomes: string[] = [];
  const asked: string[] = [];
  beforeAll(async () => {
    simulator = await startSimulator({ seed: 7, size: 50 });
    registry = createRegistry({ rendered: ['tiktok'] });
    const client = createHttpClient({
      hostsOf: registry.hostsOf,
      userAgent: 'Sightline/0.1 (+https://example.org/contact)',
      simulatorUrl: simulator.url,
      clock: systemClock,
      random: seededRandom(1),
    });
    http = createRenderingHttp({
      http: {
        fetch: (request, given) => {
          asked.push(new URL(request.url).pathname);
          return client.fetch(request, given);
        },
        close: () => client.close(),
      },
      renderer: createRenderer({ start: startTestChromium, concurrency: 1, logger: silentLogger }),
      hostsOf: registry.hostsOf,
      onPage: (_, outcome) => outcomes.push(outcome),
    });
  });
  afterAll(async () => {
    await http.close();
    await simulator.close();
  });

  const shown = (status: string) => {
    for (let index = 0; index < 50; index++) {
      const account = simulator.world.account('tiktok', index);
      if (account.status === status && !account.quirks.has('region')) return account;
    }
    throw new Error(`no ${status} account`);
  };

  it('is read with a browser, and its posts as usual', async () => {
    const account = shown('active');
    const address = { kind: 'handle', handle: account.handle } as const;
    const options = { http, posts: true };
    const plain = await registry.adapterOf('tiktok').read(address, options);
    simulator.faults.set('tiktok', 'script_only');
    asked.length = 0;
    const rendered = await registry.adapterOf('tiktok').read(address, options);
    expect(rendered).toEqual({ ...plain, surface: 'page_rendered', warnings: [] });
    expect(asked).toEqual([
      `/@${account.handle}`,
      `/embed/@${account.handle}`,
      '/assets/page.js',
      '/assets/page.json',
      '/api/post/item_list/',
    ]);
    expect(outcomes).toEqual(['rendered']);
  });

  it('stays unknown without a browser, and if only its absence is rendered', async () => {
    const address = { kind: 'handle', handle: 'nobody.has.this.name' } as const;
    const without = await createRegistry().adapterOf('tiktok').read(address, { http, posts: false });
    expect(without).toMatchObject({ status: 'unknown', reason: 'layout_changed' });
    const reading = await registry.adapterOf('tiktok').read(address, { http, posts: false });
    expect(reading).toMatchObject({ status: 'unknown', reason: 'layout_changed' });
    expect(reading.warnings).toContain('rendered: page: says absent');
  });

  it('is not rendered behind a wall', async () => {
    simulator.faults.clear();
    simulator.faults.set('tiktok', 'challenge');
    outcomes.length = 0;
    const address = { kind: 'handle', handle: shown('active').handle } as const;
    const reading = await registry.adapterOf('tiktok').read(address, { http, posts: false });
    expect(reading).toMatchObject({ status: 'unknown', reason: 'challenge' });
    expect(outcomes).toEqual([]);
  });
});
