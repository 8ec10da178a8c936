import { describe, expect, it } from 'vitest';
import type { HttpRequest, Page } from '../../../src/crawlers/http/port.ts';
import { createRegistry } from '../../../src/crawlers/platforms/registry.ts';
import { isShell } from '../../../src/crawlers/platforms/shared/rendered-reading.ts';

const SHELL =
  '<html><head><title>TikTok</title></head><body><div id="app"></div><script src="/a.js"></script></body></html>';

const pageOf = (url: string, body: string, status = 200, type = 'text/html; charset=utf-8'): Page => ({
  url,
  status,
  headers: { 'content-type': type },
  body,
  bytes: body.length,
});

describe('a page', () => {
  it.for([
    ['with a script and no text', SHELL, true],
    ['with a module', '<script type="module">1</script>', true],
    [
      'whose text is for those without scripts',
      `<noscript>${'word '.repeat(400)}</noscript><script></script>`,
      true,
    ],
    ['with text', `<p>${'word '.repeat(400)}</p><script></script>`, false],
    ['with data blocks alone', '<script type="application/json">{}</script>', false],
    ['without anything', '', false],
  ] as const)('is recognized as a shell or not: %s', ([, body, expected]) => {
    expect(isShell(pageOf('https://www.tiktok.com/@one', body))).toBe(expected);
  });

  it('is no shell if it is an error or data', () => {
    expect(isShell(pageOf('https://www.tiktok.com/@one', SHELL, 404))).toBe(false);
    expect(isShell(pageOf('https://www.tiktok.com/@one', SHELL, 200, 'application/json'))).toBe(false);
  });
});

const data = (userInfo: unknown) =>
  `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify({
    __DEFAULT_SCOPE__: { 'webapp.user-detail': { statusCode: 0, userInfo } },
  })}</script>`;

const USER = {
  user: { id: '7', uniqueId: 'one', nickname: 'One', signature: 'bio', privateAccount: false },
  stats: { followerCount: 12, videoCount: 3 },
};

/** Reads an account of TikTok whose pages are shells; its rendered page is as given. */
const read = async (
  rendered: (url: string) => Page,
  plain: (url: string) => Page = (url) => pageOf(url, SHELL),
) => {
  const requests: HttpRequest[] = [];
  const http = {
    fetch: async (request: HttpRequest) => {
      requests.push(request);
      return (request.render === undefined ? plain : rendered)(request.url);
    },
    close: async () => undefined,
  };
  const address = { kind: 'handle', handle: 'one' } as const;
  const adapter = createRegistry({ rendered: ['tiktok'] }).adapterOf('tiktok');
  return { reading: await adapter.read(address, { http, posts: false }), requests };
};

describe('a reading whose pages are shells', () => {
  it('is read again with the first one rendered, without requesting a surface twice', async () => {
    const { reading, requests } = await read((url) => pageOf(url, data(USER)));
    expect(reading).toMatchObject({
      status: 'present',
      surface: 'page_rendered',
      profile: { followers: 12 },
    });
    expect(requests.map(({ url, render }) => [url, render?.body])).toEqual([
      ['https://www.tiktok.com/@one?lang=en', undefined],
      ['https://www.tiktok.com/embed/@one', undefined],
      ['https://www.tiktok.com/@one?lang=en', SHELL],
    ]);
  });

  it('stays unknown if the rendered page shows nothing either, and is rendered once', async () => {
    const { reading, requests } = await read((url) => pageOf(url, SHELL));
    expect(reading).toMatchObject({ status: 'unknown', reason: 'layout_changed' });
    expect(requests.filter(({ render }) => render !== undefined).length).toBe(1);
  });

  it('stays unknown if the rendered page says that there is no such account', async () => {
    const gone =
      '<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">{"__DEFAULT_SCOPE__":{"webapp.user-detail":{"statusCode":10202}}}</script>';
    const { reading } = await read((url) => pageOf(url, gone));
    expect(reading).toMatchObject({
      status: 'unknown',
      warnings: [expect.any(String), 'rendered: page: says absent'],
    });
  });

  it('is blocked if its scripts leave for a log-in', async () => {
    const { reading } = await read((url) => ({
      ...pageOf(url, '', 302),
      headers: { location: 'https://www.tiktok.com/login' },
    }));
    expect(reading).toMatchObject({ status: 'unknown', reason: 'login_wall' });
  });

  it.for([
    ['limited', (url: string) => pageOf(url, '', 429)],
    ['a challenge', (url: string) => pageOf(url, `${SHELL}<script>window._wafchallengeid=1</script>`)],
    ['an error', (url: string) => pageOf(url, SHELL, 500)],
    ['a page with other text', (url: string) => pageOf(url, `<p>${'word '.repeat(400)}</p>${SHELL}`)],
  ] as const)('is not rendered if it is %s', async ([, plain]) => {
    const { reading, requests } = await read((url) => pageOf(url, data(USER)), plain);
    expect(reading.status).toBe('unknown');
    expect(requests.filter(({ render }) => render !== undefined)).toEqual([]);
  });
});
