import { describe, expect, it } from 'vitest';
import type { Visit } from '../../../src/crawlers/browser/browser.ts';
import { createRenderer } from '../../../src/crawlers/browser/renderer.ts';
import { createRenderingHttp, type PageLimits } from '../../../src/crawlers/browser/rendering-http.ts';
import { FetchError, type HttpRequest, type Page } from '../../../src/crawlers/http/port.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { document, fakeBrowser, html } from './fake-browser.ts';

const URL_ONE = 'https://www.tiktok.com/@one';

/** A page that requests so many things at once, and shows what became of them. */
const requesting = (n: number) => async (visit: Visit) => {
  const answers = await Promise.all(
    Array.from({ length: n }, (_, i) =>
      visit.answer({ url: `${URL_ONE}?${i}`, method: 'GET', type: 'fetch', headers: {}, body: null }),
    ),
  );
  return html(answers.map((answer) => answer?.status ?? 'refused').join(' '));
};

const renderingHttp = (
  render: (visit: Visit) => Promise<ReturnType<typeof html>>,
  answer: (request: HttpRequest) => Promise<Page> | Page,
  limits: Partial<PageLimits> = {},
) => {
  const sent: HttpRequest[] = [];
  const outcomes: string[] = [];
  const http = createRenderingHttp({
    http: {
      fetch: async (request) => {
        sent.push(request);
        return answer(request);
      },
      close: async () => undefined,
    },
    renderer: createRenderer({
      start: async () => fakeBrowser(render),
      concurrency: 1,
      logger: silentLogger,
    }),
    hostsOf: () => ['www.tiktok.com'],
    limits,
    onPage: (platform, outcome) => outcomes.push(`${platform} ${outcome}`),
  });
  return { http, sent, outcomes };
};

const request = { platform: 'tiktok', url: URL_ONE, render: document() } as const;

describe('HTTP that renders', () => {
  it('passes on requests that are not to be rendered', async () => {
    const { http, sent, outcomes } = renderingHttp(requesting(0), () => document('plain'));
    const plain = { platform: 'tiktok', url: URL_ONE } as const;
    expect((await http.fetch(plain)).body).toBe('plain');
    expect(sent).toEqual([plain]);
    expect(outcomes).toEqual([]);
    await http.close();
  });

  it('refuses requests beyond the maximum', async () => {
    const { http, sent, outcomes } = renderingHttp(requesting(4), () => document(), { requests: 2 });
    expect((await http.fetch(request)).body).toBe('200 200 refused refused');
    expect(sent.length).toBe(2);
    expect(outcomes).toEqual(['tiktok rendered']);
    await http.close();
  });

  it('ends a page that loads too much', async () => {
    const { http, outcomes } = renderingHttp(requesting(3), () => ({ ...document(), bytes: 400 }), {
      bytes: 1_000,
    });
    await expect(http.fetch(request)).rejects.toMatchObject({ reason: 'too_large' });
    expect(outcomes).toEqual(['tiktok too_large']);
    await http.close();
  });

  it('counts what was transferred, and the document once', async () => {
    const { http } = renderingHttp(requesting(3), () => ({ ...document(), bytes: 400 }));
    expect((await http.fetch(request)).bytes).toBe(1_200);
    await http.close();
  });

  it('has few requests of a page in flight', async () => {
    let now = 0;
    let most = 0;
    const { http } = renderingHttp(
      requesting(10),
      async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now -= 1;
        return document();
      },
      { concurrency: 3 },
    );
    await http.fetch(request);
    expect(most).toBe(3);
    await http.close();
  });

  it.for(['paused', 'proxy_failed', 'rate_limited', 'too_large'] as const)(
    'ends a page if one of its requests fails because of %s',
    async (reason) => {
      const { http } = renderingHttp(requesting(1), () => {
        throw new FetchError(reason, 'not sent', { retryAfterMs: 5 });
      });
      await expect(http.fetch(request)).rejects.toMatchObject({ reason, retryAfterMs: 5 });
      await http.close();
    },
  );

  it('lets a page handle a failed request', async () => {
    const { http } = renderingHttp(requesting(1), () => {
      throw new FetchError('http_error', 'reset');
    });
    expect((await http.fetch(request)).body).toBe('refused');
    await http.close();
  });

  it('sends a page’s requests through its document’s proxy', async () => {
    const { http, sent } = renderingHttp(requesting(1), () => document());
    await http.fetch({ ...request, proxy: 'berlin' });
    expect(sent).toMatchObject([{ proxy: 'berlin', platform: 'tiktok' }]);
    await http.close();
  });
});
