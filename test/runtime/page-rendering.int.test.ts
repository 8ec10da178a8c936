import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { Http, HttpRequest } from '../../src/crawlers/http/port.ts';
import { createRegistry } from '../../src/crawlers/platforms/registry.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { openRegistry, withPageRendering } from '../../src/runtime/crawler-http.ts';
import { document } from '../crawlers/browser/fake-browser.ts';
import { CHROMIUM, isRoot } from '../support/chromium.ts';
import { nothingErased } from '../support/erasures.ts';

const http = { fetch: async () => document('plain'), close: async () => undefined };

/** A platform whose pages show nothing without their scripts. */
const shells = (asked: HttpRequest[]): Http => ({
  fetch: async (request) => {
    asked.push(request);
    return { ...document('<main></main><script>start()</script>'), url: request.url };
  },
  close: async () => undefined,
});

const opened = (environment: Record<string, string>, sandbox?: boolean) => {
  const metrics = new Registry();
  const runtime = { config: parseConfig(environment), logger: silentLogger, metrics };
  const options = sandbox === undefined ? {} : { sandbox };
  return { metrics, rendering: withPageRendering(http, runtime, createRegistry(), options) };
};

describe('the configured browser', () => {
  it('renders nothing unless it is configured', async () => {
    expect(await opened({}).rendering).toBe(http);
  });

  it('is rejected at the start if the program is missing', async () => {
    const error = await opened({ BROWSER_EXECUTABLE: '/nonexistent/chromium' }).rendering.catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({
      code: 'setting_invalid',
      message: expect.stringContaining('/nonexistent/chromium'),
    });
  });

  it.runIf(isRoot)('is rejected at the start if root would run it without a sandbox', async () => {
    const error = await opened({ BROWSER_EXECUTABLE: process.execPath }).rendering.catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'setting_invalid', message: expect.stringContaining('root') });
  });

  it.skipIf(CHROMIUM === undefined)('renders a page and counts it', async () => {
    const { metrics, rendering } = opened({ BROWSER_EXECUTABLE: CHROMIUM ?? '' }, !isRoot);
    const transport = await rendering;
    const page = await transport.fetch({
      platform: 'tiktok',
      url: 'https://www.tiktok.com/@one',
      render: document('<p id="p"></p><script>p.textContent = "run"</script>'),
    });
    expect(page.body).toContain('<p id="p">run</p>');
    expect(await metrics.metrics()).toContain(
      'sightline_browser_pages_total{platform="tiktok",outcome="rendered"} 1',
    );
    await transport.close();
  });

  it('serves the named platforms, or all', async () => {
    const of = async (environment: Record<string, string>) => {
      const rendered: Platform[] = [];
      const parts = { config: parseConfig(environment), ...nothingErased };
      for (const { platform, probes, read } of openRegistry(parts).adapters) {
        const asked: HttpRequest[] = [];
        const [name = ''] = probes;
        await read({ kind: 'handle', handle: name }, { http: shells(asked), posts: false });
        if (asked.some(({ render }) => render !== undefined)) rendered.push(platform);
      }
      return rendered;
    };
    const all = createRegistry()
      .adapters.filter(({ surfaces }) => surfaces.some(({ format }) => format === 'html'))
      .map(({ platform }) => platform);
    expect(await of({})).toEqual([]);
    expect(await of({ BROWSER_EXECUTABLE: '/usr/bin/chromium' })).toEqual(all);
    expect(
      await of({ BROWSER_EXECUTABLE: '/usr/bin/chromium', BROWSER_PLATFORMS: 'tiktok, instagram' }),
    ).toEqual(['instagram', 'tiktok']);
    expect(await of({ BROWSER_PLATFORMS: 'tiktok' })).toEqual([]);
    expect(() => parseConfig({ BROWSER_PLATFORMS: 'tiktok,myspace' })).toThrow('BROWSER_PLATFORMS');
  });
});
