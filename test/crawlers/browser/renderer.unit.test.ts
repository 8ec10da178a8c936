import { describe, expect, it } from 'vitest';
import type { Rendered, Visit } from '../../../src/crawlers/browser/browser.ts';
import { createRenderer, type RendererLimits } from '../../../src/crawlers/browser/renderer.ts';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { until } from '../../support/wait.ts';
import { document, type FakeBrowser, fakeBrowser, html } from './fake-browser.ts';

const NEVER = new Promise<never>(() => undefined);

const rendererOf = (
  render: (visit: Visit, browser: number) => Promise<Rendered>,
  limits: Partial<RendererLimits> = {},
  concurrency = 1,
) => {
  const browsers: FakeBrowser[] = [];
  const renderer = createRenderer({
    start: async () => {
      const number = browsers.length;
      const browser = fakeBrowser((visit) => render(visit, number));
      browsers.push(browser);
      return browser;
    },
    concurrency,
    logger: silentLogger,
    limits,
  });
  const visit = () => ({ document: document(), answer: () => Promise.resolve(null) });
  return { browsers, renderer, go: (signal?: AbortSignal) => renderer.render(visit, signal) };
};

describe('a renderer', () => {
  it('starts no browser before the first page, and keeps it for later ones', async () => {
    const { browsers, renderer, go } = rendererOf(async () => html('x'));
    expect(browsers.length).toBe(0);
    for (let n = 0; n < 3; n++) expect(await go()).toEqual(html('x'));
    expect(browsers.map(({ visits }) => visits.length)).toEqual([3]);
    await renderer.close();
    expect(browsers[0]?.isClosed()).toBe(true);
  });

  it('replaces a browser after its number of pages', async () => {
    const { browsers, renderer, go } = rendererOf(async () => html('x'), { pagesPerBrowser: 2 });
    for (let n = 0; n < 5; n++) await go();
    expect(browsers.map(({ visits }) => visits.length)).toEqual([2, 2, 1]);
    await renderer.close();
    expect(browsers.every((browser) => browser.isClosed())).toBe(true);
  });

  it('closes an idle browser', async () => {
    const { browsers, renderer, go } = rendererOf(async () => html('x'), { idleMs: 5 });
    await go();
    await until('it is closed', () => browsers[0]?.isClosed());
    await go();
    expect(browsers.length).toBe(2);
    await renderer.close();
  });

  it('ends a page that takes too long, with its browser and requests', async () => {
    const { browsers, renderer, go } = rendererOf(
      (_, browser) => (browser === 0 ? NEVER : Promise.resolve(html('x'))),
      { totalMs: 20 },
    );
    await expect(go()).rejects.toMatchObject({ reason: 'timeout' });
    expect(browsers[0]?.isRunning()).toBe(false);
    expect(browsers[0]?.visits[0]?.signal.aborted).toBe(true);
    expect(await go()).toEqual(html('x'));
    await renderer.close();
  });

  it('ends a page whose browser takes too long to start, and keeps the browser', async () => {
    const started = Promise.withResolvers<FakeBrowser>();
    const renderer = createRenderer({
      start: () => started.promise,
      concurrency: 1,
      logger: silentLogger,
      limits: { totalMs: 20 },
    });
    const visit = () => ({ document: document(), answer: () => Promise.resolve(null) });
    await expect(renderer.render(visit)).rejects.toMatchObject({ reason: 'timeout' });
    const browser = fakeBrowser(async () => html('x'));
    started.resolve(browser);
    expect(await renderer.render(visit)).toEqual(html('x'));
    await renderer.close();
    expect(browser.isClosed()).toBe(true);
  });

  it('ends a page whose browser takes too much memory', async () => {
    const { browsers, renderer, go } = rendererOf(() => NEVER, { maxMemoryBytes: 3 * 2 ** 30 - 1 });
    const page = go();
    await until('it renders', () => browsers[0]?.visits.length === 1);
    (browsers[0] as FakeBrowser).memory = 3 * 2 ** 30;
    const message = 'The page takes 3072 MiB of memory';
    await expect(page).rejects.toMatchObject({ reason: 'too_large', message });
    expect(browsers[0]?.isRunning()).toBe(false);
    await renderer.close();
  });

  it('loses only the page of a browser that ends', async () => {
    const release = Promise.withResolvers<void>();
    const { browsers, renderer, go } = rendererOf(
      async () => {
        await release.promise;
        return html('x');
      },
      {},
      2,
    );
    const pages = [go(), go(), go()];
    const settled = Promise.allSettled(pages);
    await until('two are rendered', () => browsers.length === 2);
    browsers[0]?.kill();
    release.resolve();
    expect((await settled).map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    await renderer.close();
  });

  it('renders at most the configured number of pages at once', async () => {
    let now = 0;
    let most = 0;
    const { renderer, go } = rendererOf(
      async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 2));
        now -= 1;
        return html('x');
      },
      {},
      2,
    );
    await Promise.all(Array.from({ length: 8 }, () => go()));
    expect(most).toBe(2);
    await renderer.close();
  });

  it('skips a page whose reader left while it waited', async () => {
    const { browsers, renderer, go } = rendererOf(() => NEVER, { totalMs: 50 });
    const first = go();
    const leaving = new AbortController();
    const second = go(leaving.signal);
    leaving.abort();
    await expect(second).rejects.toMatchObject({ reason: 'aborted' });
    await expect(first).rejects.toMatchObject({ reason: 'timeout' });
    await renderer.close();
    expect(browsers.flatMap(({ visits }) => visits).length).toBe(1);
  });

  it('ends the current page when it is closed', async () => {
    const { browsers, renderer, go } = rendererOf(() => NEVER);
    const page = go();
    const failed = expect(page).rejects.toMatchObject({ reason: 'aborted' });
    await until('it renders', () => browsers[0]?.visits.length === 1);
    await renderer.close();
    await failed;
    expect(browsers[0]?.isClosed()).toBe(true);
  });

  it('fails each page while no browser starts', async () => {
    const renderer = createRenderer({
      start: () => Promise.reject(new Error('No usable sandbox!')),
      concurrency: 1,
      logger: silentLogger,
    });
    const visit = () => ({ document: document(), answer: () => Promise.resolve(null) });
    const error = await renderer.render(visit).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FetchError);
    expect(error).toMatchObject({ reason: 'http_error', cause: { message: 'No usable sandbox!' } });
    await renderer.close();
  });
});
