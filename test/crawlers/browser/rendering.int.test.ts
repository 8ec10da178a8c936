import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRenderer } from '../../../src/crawlers/browser/renderer.ts';
import { createRenderingHttp } from '../../../src/crawlers/browser/rendering-http.ts';
import type { Transport } from '../../../src/crawlers/http/port.ts';
import { createRecordHttp, createReplayHttp } from '../../../src/crawlers/http/recording.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { CHROMIUM, isRoot, startTestChromium } from '../../support/chromium.ts';
import { until } from '../../support/wait.ts';
import { type Loopback, startLoopback } from '../http/loopback.ts';
import { type RenderedSite, startRenderedSite } from './site.ts';

const WWW = '/www.tiktok.com';

/** The browser that this program has started, and all its processes. */
const browserProcesses = async () => {
  const found: { pid: number; parent: number; command: string; environment: string[] }[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = await readFile(`/proc/${name}/status`, 'utf8');
      // Some of its processes separate their arguments by blanks.
      const command = (await readFile(`/proc/${name}/cmdline`, 'utf8')).replaceAll('\0', ' ');
      const environment = (await readFile(`/proc/${name}/environ`, 'utf8')).split('\0');
      found.push({
        pid: Number(name),
        parent: Number(/PPid:\s+(\d+)/.exec(status)?.[1]),
        command,
        environment,
      });
    } catch {
      // It has ended since, or is another user's.
    }
  }
  const main = found.find(
    ({ parent, command }) => parent === process.pid && command.includes('--user-data-dir'),
  );
  const own = new Set(main === undefined ? [] : [main.pid]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const { pid, parent } of found) if (own.has(parent)) own.add(pid);
  }
  return { main, all: found.filter(({ pid }) => own.has(pid)) };
};

describe.skipIf(CHROMIUM === undefined)('a page that is rendered', () => {
  let site: RenderedSite;
  let outside: Loopback;
  beforeAll(async () => {
    site = await startRenderedSite();
    outside = await startLoopback();
  });
  afterAll(async () => {
    await site.close();
    await outside.close();
  });

  it('has what its scripts fetch and insert', { tags: 'long' }, async () => {
    site.serve(`${WWW}/@plain`, '<div id="app"></div><script src="/app.js"></script>');
    site.serve(`${WWW}/app.js`, {
      type: 'text/javascript',
      body: `fetch('/data?x=1', { method: 'POST', body: 'q', headers: { 'x-app': '7' } })
        .then((answer) => answer.json()).then(({ name }) => { app.textContent = name + ' ' + navigator.userAgent; })`,
    });
    site.serve(`${WWW}/data`, { type: 'application/json', body: '{"name":"Zoë"}' });
    const page = await site.render(`${WWW}/@plain`);
    expect(page.body).toContain('<div id="app">Zoë Sightline/0.1 (+https://example.org/contact)</div>');
    expect(page).toMatchObject({ status: 200, url: 'https://www.tiktok.com/@plain' });
    expect(site.asked()).toEqual([`${WWW}/@plain`, `${WWW}/app.js`, `${WWW}/data?x=1`]);
    const { headers } = site.server.requests().at(-1) ?? { headers: {} };
    expect(headers).toMatchObject({
      'x-app': '7',
      'user-agent': 'Sightline/0.1 (+https://example.org/contact)',
    });
    expect(Object.keys(headers).filter((name) => /^(sec-|cookie|authorization)/.test(name))).toEqual([]);
  });

  it('requests scripts and data of the platform only, and the browser reaches no network', async () => {
    const before = site.asked().length;
    const elsewhere = outside.url;
    site.serve(
      `${WWW}/@greedy`,
      `<link rel="stylesheet" href="/a.css"><link rel="preconnect" href="${elsewhere}"><link rel="prefetch" href="/next">
      <link rel="dns-prefetch" href="//example.org"><link rel="icon" href="/favicon.ico">
      <style>@font-face { font-family: f; src: url(/f.woff2) } p { font-family: f; background: url(/b.png) }</style>
      <p>text</p><img src="/a.png"><img src="${elsewhere}/a.png"><video src="/a.mp4" autoplay></video>
      <iframe src="/frame"></iframe><iframe src="${elsewhere}/frame"></iframe><script src="${elsewhere}/a.js"></script>
      <script src="https://cdn.example.org/a.js"></script><object data="/object"></object><embed src="/embed">
      <script>
        const tried = [fetch('${elsewhere}/data'), fetch('https://example.org/data'), fetch('https://169.254.169.254/'),
          fetch('/put', { method: 'PUT' }), fetch('http://www.tiktok.com/insecure'), fetch('https://www.tiktok.com:8443/')];
        for (const one of tried) one.catch(() => {});
        navigator.sendBeacon('/beacon', 'x');
        navigator.sendBeacon('${elsewhere}/beacon', 'x');
        for (const one of ['ws://127.0.0.1:${outside.port}/', 'wss://www.tiktok.com/ws']) new WebSocket(one);
        new EventSource('/events');
        for (const kind of ['Worker', 'SharedWorker'])
          try { new window[kind]('/worker.js'); } catch {}
        navigator.serviceWorker?.register('/worker.js').catch(() => {});
        new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${outside.port}' }] }).createDataChannel('x');
        window.open('/popup');
        fetch('/data').then(() => document.body.append('done'));
      </script>`,
    );
    site.serve(`${WWW}/data`, { type: 'application/json', body: '{}' });
    site.serve(`${WWW}/worker.js`, {
      type: 'text/javascript',
      body: `fetch('${elsewhere}/worker').catch(() => {}); onconnect = () => fetch('${elsewhere}/worker');`,
    });
    const page = await site.render(`${WWW}/@greedy`);
    expect(page.body).toContain('done');
    const asked = site.asked().slice(before);
    expect(asked.filter((path) => path !== `${WWW}/worker.js`)).toEqual([`${WWW}/@greedy`, `${WWW}/data`]);
    expect(outside.connections()).toBe(0);
  });

  it('has no cookies or storage of another page, and sends none', { tags: 'long' }, async () => {
    const remember = `<script>
      document.body.append('found:' + document.cookie + ':' + (localStorage.seen ?? '') + ';');
      document.cookie = 'seen=yes; path=/; max-age=1000'; localStorage.seen = 'yes';
      fetch('/cookies', { credentials: 'include' });
    </script>`;
    const headers = { 'set-cookie': 'id=7; Path=/' };
    site.serve(`${WWW}/@cookies`, { body: `<body>${remember}`, headers });
    site.serve(`${WWW}/cookies`, { type: 'text/plain', body: 'ok', headers });
    for (let n = 0; n < 2; n++) expect((await site.render(`${WWW}/@cookies`)).body).toContain('found::;');
    expect(site.server.requests().filter(({ headers: sent }) => sent.cookie !== undefined)).toEqual([]);
  });

  it('is an unfollowed redirect if its scripts leave for another document', async () => {
    site.serve(`${WWW}/@leaving`, `<script>location.href = '/login?next=1'</script>`);
    const page = await site.render(`${WWW}/@leaving`);
    expect(page).toMatchObject({ status: 302, headers: { location: 'https://www.tiktok.com/login?next=1' } });
    expect(site.asked()).not.toContain(`${WWW}/login?next=1`);
  });

  it('takes a token of the rate for each request', async () => {
    site.serve(`${WWW}/@paced`, '<script>for (const n of [1, 2, 3]) fetch("/data?n=" + n)</script>');
    let permits = 0;
    const permit = async () => {
      permits += 1;
    };
    await site.render(`${WWW}/@paced`, { permit });
    expect(permits).toBe(2);
  });

  it('ends with the reason if the platform limits the rate', async () => {
    site.serve(`${WWW}/@limited`, '<script>fetch("/limited")</script>');
    site.serve(`${WWW}/limited`, { status: 429, body: '', headers: { 'retry-after': '17' } });
    await expect(site.render(`${WWW}/@limited`)).rejects.toMatchObject({
      reason: 'rate_limited',
      retryAfterMs: 17_000,
    });
  });

  it('is taken as it is if it never stops requesting', { tags: 'long' }, async () => {
    site.serve(
      `${WWW}/@polling`,
      '<p id="p"></p><script>setInterval(() => fetch("/data").then(() => { p.textContent = "here" }), 50)</script>',
    );
    expect((await site.render(`${WWW}/@polling`)).body).toContain('<p id="p">here</p>');
  });

  it('is rendered from recordings, with its scripts’ requests', { tags: 'long' }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sightline-recordings-'));
    const renderedBy = async (http: Transport) => {
      const rendering = createRenderingHttp({
        http,
        renderer: createRenderer({ start: startTestChromium, concurrency: 1, logger: silentLogger }),
        hostsOf: () => ['www.tiktok.com'],
      });
      const request = { platform: 'tiktok', url: 'https://www.tiktok.com/@recorded' } as const;
      try {
        return await rendering.fetch({ ...request, render: await rendering.fetch(request) });
      } finally {
        await rendering.close();
      }
    };
    try {
      site.serve(
        `${WWW}/@recorded`,
        '<p id="p"></p><script>fetch("/recorded").then((a) => a.text()).then((t) => { p.textContent = t })</script>',
      );
      site.serve(`${WWW}/recorded`, { type: 'text/plain', body: 'from the call' });
      const keptOpen = { fetch: site.http.fetch, close: async () => undefined };
      const recorded = await renderedBy(createRecordHttp({ http: keptOpen, dir, clock: systemClock }));
      const requests = site.asked().length;
      const replayed = await renderedBy(createReplayHttp({ dir }));
      expect(replayed.body).toContain('<p id="p">from the call</p>');
      expect(replayed.body).toBe(recorded.body);
      expect(site.asked().length).toBe(requests);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('is rendered without the program’s environment, in a sandbox unless root runs it', {
    tags: 'long',
  }, async () => {
    process.env.SIGHTLINE_TEST_SECRET = 'hunter2';
    try {
      site.serve(`${WWW}/@new`, '<script>while (true);</script>');
      const rendering = site.render(`${WWW}/@new`).catch(() => undefined);
      const { main, all } = await until('the browser renders', async () => {
        const processes = await browserProcesses();
        return processes.all.some(({ command }) => command.includes('--type=renderer')) && processes;
      });
      await rendering;
      expect(all.flatMap(({ environment }) => environment).filter((one) => one.includes('hunter2'))).toEqual(
        [],
      );
      expect(all.length).toBeGreaterThan(3);
      expect(main?.command.includes('--no-sandbox')).toBe(isRoot);
      expect(main?.command).toContain('--host-resolver-rules=MAP * ~NOTFOUND');
    } finally {
      delete process.env.SIGHTLINE_TEST_SECRET;
    }
  });
});
