import { createRenderer, type RendererLimits } from '../../../src/crawlers/browser/renderer.ts';
import { createRenderingHttp, type PageLimits } from '../../../src/crawlers/browser/rendering-http.ts';
import { createHttpClient } from '../../../src/crawlers/http/http-client.ts';
import type { Page, Transport } from '../../../src/crawlers/http/port.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { startTestChromium } from '../../support/chromium.ts';
import { type Loopback, startLoopback } from '../http/loopback.ts';

type Content =
  | string
  | {
      readonly status?: number;
      readonly type?: string;
      readonly body: string;
      readonly headers?: Record<string, string>;
      /** It is answered once this is fulfilled. */
      readonly after?: Promise<void>;
    };

/** Hosts of the platform that the site stands for. */
const HOSTS = ['www.tiktok.com', 'm.tiktok.com'];

/** A site that is rendered by Chromium, and knows what it was asked for. */
export interface RenderedSite {
  readonly server: Loopback;
  readonly http: Transport;
  readonly outcomes: string[];
  /** Paths with their hosts, in order. */
  asked(): readonly string[];
  /** Adds what is at a path, as `/www.tiktok.com/@one`. */
  serve(path: string, content: Content): void;
  /** Fetches a page as the crawler does, then renders it. */
  render(path: string, options?: Parameters<Transport['fetch']>[1]): Promise<Page>;
  close(): Promise<void>;
}

export const startRenderedSite = async (
  options: {
    readonly limits?: Partial<RendererLimits>;
    readonly pageLimits?: Partial<PageLimits>;
    readonly concurrency?: number;
    readonly start?: typeof startTestChromium;
  } = {},
): Promise<RenderedSite> => {
  const server = await startLoopback();
  const contents = new Map<string, Content>();
  server.handle((request, response) => {
    const content = contents.get((request.url ?? '').split('?')[0] ?? '');
    const {
      status = 200,
      type = 'text/html',
      body,
      headers = {},
      after = Promise.resolve(),
    } = typeof content === 'object' ? content : { body: content ?? '' };
    void after.then(() => {
      response.writeHead(content === undefined ? 404 : status, { 'content-type': type, ...headers });
      response.end(body);
    });
  });
  const client = createHttpClient({
    hostsOf: () => HOSTS,
    userAgent: 'Sightline/0.1 (+https://example.org/contact)',
    simulatorUrl: server.url,
    limits: { retries: 0 },
    clock: { now: () => Date.UTC(2026, 0, 1) },
    random: seededRandom(1),
  });
  const outcomes: string[] = [];
  const http = createRenderingHttp({
    http: client,
    renderer: createRenderer({
      start: options.start ?? startTestChromium,
      concurrency: options.concurrency ?? 1,
      logger: silentLogger,
      limits: options.limits ?? {},
    }),
    hostsOf: () => HOSTS,
    limits: options.pageLimits ?? {},
    onPage: (_, outcome) => outcomes.push(outcome),
  });
  return {
    server,
    http,
    outcomes,
    asked: () => server.requests().map(({ url }) => url),
    serve: (path, content) => contents.set(path, content),
    render: async (path, given) => {
      const request = { platform: 'tiktok', url: `https:/${path}` } as const;
      const document = await http.fetch(request);
      return http.fetch({ ...request, render: document }, given);
    },
    close: async () => {
      await http.close();
      await server.close();
    },
  };
};
