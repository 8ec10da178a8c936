import type { Browser, Rendered, Visit } from '../../../src/crawlers/browser/browser.ts';
import { FetchError, type Page } from '../../../src/crawlers/http/port.ts';

export interface FakeBrowser extends Browser {
  readonly visits: Visit[];
  isClosed(): boolean;
  memory: number | null;
}

/** A browser that renders as the test says, until it is killed. */
export const fakeBrowser = (render: (visit: Visit) => Promise<Rendered>): FakeBrowser => {
  const visits: Visit[] = [];
  const killed = Promise.withResolvers<never>();
  killed.promise.catch(() => undefined);
  let isRunning = true;
  let isClosed = false;
  const browser: FakeBrowser = {
    visits,
    memory: 0,
    render: (visit) => {
      visits.push(visit);
      return Promise.race([render(visit), killed.promise]);
    },
    isRunning: () => isRunning,
    isClosed: () => isClosed,
    memoryBytes: () => Promise.resolve(browser.memory),
    kill: () => {
      isRunning = false;
      killed.reject(new FetchError('http_error', 'The browser ended'));
    },
    close: async () => {
      isRunning = false;
      isClosed = true;
    },
  };
  return browser;
};

export const document = (body = '<script></script>'): Page => ({
  url: 'https://www.tiktok.com/@one',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body,
  bytes: body.length,
});

export const html = (text: string): Rendered => ({
  kind: 'html',
  html: text,
  url: 'https://www.tiktok.com/@one',
});
