import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import { HttpCrawler } from '@crawlee/http';
import { MemoryStorage } from '@crawlee/memory-storage';
import { peakMb, serve } from '../support/child.ts';
import { extractors } from './by-dom.ts';
import { extractOf, scriptIn } from './by-json.ts';
import { AT_ONCE, type CrawlAnswer, type CrawlQuestion, caseOf, type Extract } from './cases.ts';

log.setLevel(log.LEVELS.OFF);

const kind = process.argv[2] === 'http' ? 'http' : 'cheerio';

/** Everything in memory, no sessions, no retries, and never slowed down for what the machine does. */
const options = {
  minConcurrency: AT_ONCE,
  maxConcurrency: AT_ONCE,
  maxRequestRetries: 0,
  useSessionPool: false,
  persistCookiesPerSession: false,
  keepAlive: false,
  autoscaledPoolOptions: {
    minConcurrency: AT_ONCE,
    maxConcurrency: AT_ONCE,
    desiredConcurrency: AT_ONCE,
    loggingIntervalSecs: null,
    autoscaleIntervalSecs: 3_600,
    maybeRunIntervalSecs: 0.01,
    snapshotterOptions: { maxUsedMemoryRatio: 1, maxBlockedMillis: 1e9, maxClientErrors: 1e9 },
    systemStatusOptions: {
      maxCpuOverloadedRatio: 1,
      maxMemoryOverloadedRatio: 1,
      maxEventLoopOverloadedRatio: 1,
      maxClientOverloadedRatio: 1,
    },
  },
  statisticsOptions: { logIntervalSecs: 3_600, saveErrorSnapshots: false },
} as const;

const crawl = async (question: CrawlQuestion): Promise<CrawlAnswer> => {
  const { host, path } = caseOf(question.case);
  const config = new Configuration({
    persistStorage: false,
    purgeOnStart: true,
    storageClient: new MemoryStorage({ persistStorage: false, writeMetadata: false }),
    availableMemoryRatio: 1,
    disableBrowserSandbox: true,
  });
  const extracts: Extract[] = [];
  let failed = 0;
  const keep = (extract: Extract) => {
    if (question.extracts) extracts.push(extract);
  };
  const failedRequestHandler = async (_context: unknown, error: Error) => {
    failed += 1;
    if (failed === 1) console.error(error);
  };
  const crawler =
    kind === 'http'
      ? new HttpCrawler(
          {
            ...options,
            failedRequestHandler,
            requestHandler: async ({ body }) => keep(extractOf(scriptIn(body.toString()))),
          },
          config,
        )
      : new CheerioCrawler(
          {
            ...options,
            failedRequestHandler,
            requestHandler: async ({ $ }) => keep(extractors[question.case]($)),
          },
          config,
        );
  // The same page again counts as another request by its key.
  const requests = Array.from({ length: question.pages }, (_, i) => {
    const handle = question.handles[i % question.handles.length] as string;
    return { url: `${question.origin}/${host}${path(handle)}`, uniqueKey: String(i) };
  });
  await crawler.addRequests(requests, { waitForAllRequestsToBeAdded: true });
  const began = performance.now();
  await crawler.run();
  const perSecond = question.pages / ((performance.now() - began) / 1_000);
  if (failed > 0) throw new Error(`${failed} pages failed`);
  return { perSecond, peakMb: peakMb(), extracts };
};

if (import.meta.main) serve(crawl);
