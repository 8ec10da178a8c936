import { setTimeout as sleep } from 'node:timers/promises';
import type {
  BrowserContext,
  Browser as PlaywrightBrowser,
  Page as PlaywrightPage,
  Route,
} from 'playwright-core';
import { tooLarge } from '../http/body.ts';
import { FetchError, unlessFired } from '../http/port.ts';
import type { Rendered, Visit } from './browser.ts';
import { passedHeaders } from './page-request.ts';

const POLL_MS = 50;

/** The reason is that of a page whose memory is seen in time: which comes first must not decide what a reading says. */
const CRASHED = 'The page crashed, as pages do that run out of memory';

/** Answers the requests of a page, and follows how many are in flight. */
const createAnswers = (visit: Visit, page: PlaywrightPage) => {
  let inFlight = 0;
  let quietSince = performance.now();
  let isLoaded = false;
  const ending = Promise.withResolvers<Rendered>();
  // Awaited once the document is being loaded.
  ending.promise.catch(() => undefined);

  const answerNavigation = async (route: Route): Promise<void> => {
    if (route.request().frame() !== page.mainFrame()) return route.abort();
    if (isLoaded) {
      ending.resolve({ kind: 'left', url: route.request().url() });
      return route.abort();
    }
    isLoaded = true;
    const { status, headers, body } = visit.document;
    return route.fulfill({ status, headers: passedHeaders(headers), body });
  };

  const answerData = async (route: Route): Promise<void> => {
    const request = route.request();
    inFlight += 1;
    try {
      const answer = await visit.answer({
        url: request.url(),
        method: request.method(),
        type: request.resourceType(),
        headers: request.headers(),
        body: request.postData(),
      });
      // A redirect that the client has not followed leads to another host.
      if (answer === null || (answer.status >= 300 && answer.status < 400)) await route.abort();
      else {
        const { status, headers, body } = answer;
        await route.fulfill({ status, headers: passedHeaders(headers), body });
      }
    } finally {
      inFlight -= 1;
      quietSince = performance.now();
    }
  };

  return {
    ending: ending.promise,
    fail: (error: unknown) => ending.reject(error),
    answer: async (route: Route): Promise<void> => {
      try {
        await (route.request().isNavigationRequest() ? answerNavigation(route) : answerData(route));
      } catch (error) {
        ending.reject(error);
      }
    },
    settled: async (signal: AbortSignal): Promise<void> => {
      const startedAt = performance.now();
      quietSince = startedAt;
      const isQuiet = () => inFlight === 0 && performance.now() - quietSince >= visit.quietMs;
      while (!isQuiet() && performance.now() - startedAt < visit.settleMs)
        await sleep(POLL_MS, undefined, { signal });
    },
  };
};

/** The page as HTML, read in a world of its own, whose functions the page can't replace. */
const htmlOf = async (page: PlaywrightPage, context: BrowserContext, maxChars: number): Promise<string> => {
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const { result } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    returnByValue: true,
    expression: `(() => {
      const html = document.documentElement?.outerHTML ?? '';
      return html.length > ${maxChars} ? null : html;
    })()`,
  });
  if (typeof result.value !== 'string') throw tooLarge(maxChars);
  return result.value;
};

/**
 * Renders a document in a context of its own: no cookies, no storage, no service workers, no downloads.
 * @throws {FetchError}
 */
export const renderIn = async (
  browser: PlaywrightBrowser,
  visit: Visit,
  userAgent: string,
): Promise<Rendered> => {
  const { signal } = visit;
  const finishing = new AbortController();
  const until = AbortSignal.any([signal, finishing.signal]);
  const read = async (): Promise<Rendered> => {
    const context = await browser.newContext({
      userAgent,
      locale: 'en-US',
      serviceWorkers: 'block',
      acceptDownloads: false,
    });
    // Windows that the page opens, and workers that windows share.
    await context.route('**/*', (route) => route.abort());
    await context.routeWebSocket(/.*/, (socket) => void socket.close());
    const page = await context.newPage();
    const answers = createAnswers(visit, page);
    await page.route('**/*', answers.answer);
    page.on('crash', () => answers.fail(new FetchError('too_large', CRASHED)));
    context.on('page', (other) => void other.close().catch(answers.fail));
    const loading = async (): Promise<Rendered> => {
      await page.goto(visit.document.url, { waitUntil: 'domcontentloaded', timeout: 0 });
      await answers.settled(until);
      const html = await htmlOf(page, context, visit.maxChars);
      return { kind: 'html', html, url: page.url() };
    };
    const loaded = loading();
    // A page that leaves ends its loading with an error, which may come first.
    loaded.catch((error: unknown) => setTimeout(() => answers.fail(failureOf(error)), POLL_MS));
    const rendered = await Promise.race([answers.ending, loaded.catch(() => answers.ending)]);
    await context.close();
    return rendered;
  };
  try {
    return await unlessFired(signal, read());
  } catch (error) {
    throw failureOf(error);
  } finally {
    finishing.abort();
  }
};

const failureOf = (error: unknown): FetchError =>
  error instanceof FetchError
    ? error
    : new FetchError('http_error', 'The browser could not render the page', { cause: error });
