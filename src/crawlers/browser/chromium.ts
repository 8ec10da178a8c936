import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type {
  BrowserContext,
  Browser as PlaywrightBrowser,
  Page as PlaywrightPage,
  Route,
} from 'playwright-core';
import { FetchError, unlessFired } from '../http/port.ts';
import { tooLarge } from '../http/transport.ts';
import { type Browser, passedHeaders, type Rendered, type Visit } from './browser.ts';

/**
 * Starts Chromium with an environment of its own: none of the program's variables are passed on.
 * Decision: `docs/adr/0015-browser-without-network.md`.
 */
export const startChromium = async (options: ChromiumOptions): Promise<Browser> => {
  // Loaded when needed: most processes never render a page.
  const { chromium } = await import('playwright-core');
  const home = await mkdtemp(join(tmpdir(), 'sightline-browser-'));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 5 });
  let browser: PlaywrightBrowser;
  let pid: number;
  try {
    browser = await chromium.launch({
      executablePath: process.platform === 'linux' ? LIMITED : options.executable,
      chromiumSandbox: options.sandbox,
      args: [...OFFLINE, ...SMALL],
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: home,
        LANG: 'C.UTF-8',
        CHROMIUM: options.executable,
      },
      timeout: options.startMs ?? START_MS,
      // The program stops its browsers itself.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    pid = await pidOf(browser);
  } catch (error) {
    await removeHome();
    throw error;
  }
  const ended = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  const kill = (): void => {
    if (!browser.isConnected()) return;
    try {
      // Playwright starts it as the leader of a process group.
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return {
    render: (visit) => renderIn(browser, visit, options.userAgent),
    isRunning: () => browser.isConnected(),
    memoryBytes: () => treeMemoryBytes(pid),
    kill,
    close: async () => {
      const patience = setTimeout(kill, CLOSE_MS);
      await browser.close();
      await ended;
      clearTimeout(patience);
      await removeHome();
    },
  };
};

interface ProcessStatus {
  readonly pid: number;
  readonly parent: number;
  /** Anonymous and shared memory. */
  readonly ownBytes: number;
  /** Files, for the most part the program itself, which all its processes share. */
  readonly fileBytes: number;
}

const statusOf = async (pid: number): Promise<ProcessStatus | null> => {
  let text: string;
  try {
    text = await readFile(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    // It has ended since.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  const number = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    pid,
    parent: number('PPid'),
    ownBytes: (number('RssAnon') + number('RssShmem')) * 1024,
    fileBytes: number('RssFile') * 1024,
  };
};

/**
 * Resident memory of a process and its descendants in bytes; file pages, which they share, are counted once. Null
 * without procfs, or if the process has ended.
 */
const treeMemoryBytes = async (root: number): Promise<number | null> => {
  if (process.platform !== 'linux') return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(statusOf))).filter((status) => status !== null);
  const tree = new Set([root]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  const own = all.filter(({ pid }) => tree.has(pid));
  if (own.length === 0) return null;
  return (
    own.reduce((sum, { ownBytes }) => sum + ownBytes, 0) + Math.max(...own.map(({ fileBytes }) => fileBytes))
  );
};

interface ChromiumOptions {
  readonly executable: string;
  readonly userAgent: string;
  /** False only where Chromium can't have one, as for root. */
  readonly sandbox: boolean;
  /** Time for its start. */
  readonly startMs?: number;
}

/** The browser reaches no network: every request is answered by the program, or fails. */
const OFFLINE = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // Addresses in digits are not looked up: they go to a proxy that does not exist.
  '--proxy-server=http://offline.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy',
];

const SMALL = [
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-dev-shm-usage',
  '--disable-remote-fonts',
  '--blink-settings=imagesEnabled=false',
  '--js-flags=--max-old-space-size=256',
];

/** Starts Chromium with a limit of memory for each of its processes. */
const LIMITED = fileURLToPath(new URL('limited-chromium.sh', import.meta.url));

const START_MS = 10_000;
const CLOSE_MS = 2_000;

const pidOf = async (browser: PlaywrightBrowser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  if (main === undefined) throw new Error('Chromium does not report its process');
  await session.detach();
  return main.id;
};

const POLL_MS = 50;

/**
 * The reason is the same as for a page that the memory watch ends, so that a reading does not depend on which comes
 * first.
 */
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
const renderIn = async (browser: PlaywrightBrowser, visit: Visit, userAgent: string): Promise<Rendered> => {
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
