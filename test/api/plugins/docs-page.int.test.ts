import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/api/server/app.ts';
import type { Server } from '../../../src/api/server/listen.ts';
import { CHROMIUM, isRoot } from '../../support/chromium.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const LISTEN = { host: '127.0.0.1', port: 0 };
const PAGES = ['/docs/', '/docs/guide'] as const;

let program: TestProgram;
let api: Server;
beforeAll(async () => {
  program = await createTestProgram();
  api = await startServer(program.services, LISTEN);
});
afterAll(async () => {
  await api?.close();
  await program.close();
});

it.each([...PAGES, '/docs/js/scalar.js', '/v2/openapi.json'])(
  '%s is in no frame, loads nothing from elsewhere, and is never taken for another type',
  async (path) => {
    const { headers } = await fetch(`${api.url}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

describe.skipIf(CHROMIUM === undefined)('the reference in a browser', { tags: 'long' }, () => {
  let browser: Browser;
  let stranger: HttpServer;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', chromiumSandbox: !isRoot });
    stranger = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(PAGES.map((path) => `<iframe src="${api.url}${path}"></iframe>`).join(''));
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser?.close();
    stranger?.close();
  });

  /** A page, with the complaints of the browser about it. */
  const open = async (
    url: string,
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      // Browsers ask for an icon by themselves.
      const isIcon = message.location().url.endsWith('/favicon.ico');
      if (message.type() === 'error' && !isIcon) complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.goto(url);
    return { page, complaints };
  };

  it('shows every group of endpoints and breaks none of its own rules', async () => {
    const { page, complaints } = await open(`${api.url}/docs/`);
    await page.getByText('Whether accounts exist').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('has a guide whose styles and links work', async () => {
    const { page, complaints } = await open(`${api.url}/docs/guide`);
    expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('800px');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('runs no script that was put into it, and sends nothing to a stranger', async () => {
    const { page } = await open(`${api.url}/docs/`);
    const { port } = stranger.address() as AddressInfo;
    const ran = await page.evaluate(`(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      const sent = await fetch('http://127.0.0.1:${port}/').then(() => true, () => false);
      return { injected: window.injected === true, sent };
    })()`);
    expect(ran).toEqual({ injected: false, sent: false });
    await page.close();
  });

  it('is not shown in a frame of another page', async () => {
    const { port } = stranger.address() as AddressInfo;
    const { page, complaints } = await open(`http://127.0.0.1:${port}/`);
    expect(complaints.filter((text) => text.includes('frame-ancestors'))).toHaveLength(PAGES.length);
    await page.close();
  });
});
