import { Parser } from 'htmlparser2';
import { type Clock, isoOf, realMs } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { pause } from '../kernel/retry.ts';
import { readDueLinkPages } from '../read/people/link-pages.ts';
import { recordLinkPage } from '../write/link-pages.ts';
import type { LogAvailability } from '../write/log/availability.ts';
import type { EventLog } from '../write/log/port.ts';
import { retryAppend } from './engine/retry-append.ts';
import { FetchError, type Page, type Transport } from './http/port.ts';

/** What a link page shows. */
export type LinkPageReading =
  | { readonly status: 'read'; readonly links: readonly string[] }
  | { readonly status: 'absent' }
  | { readonly status: 'unknown'; readonly reason: string };

const NO_LINKS = 'no_links';

/**
 * Links of a page to other hosts, in order. A page without any proves nothing: it may need scripts, or be a challenge.
 * @param url address of the page after redirects.
 */
export const readLinkPage = ({
  status,
  url,
  body,
}: Pick<Page, 'status' | 'url' | 'body'>): LinkPageReading => {
  if (status === 404 || status === 410) return { status: 'absent' };
  if (status !== 200) return { status: 'unknown', reason: `http_${status}` };
  const { host } = new URL(url);
  const links = new Set<string>();
  new Parser({
    onopentag: (name, { href }) => {
      if (name !== 'a' || href === undefined || !URL.canParse(href, url)) return;
      const link = new URL(href, url);
      if (link.host !== host && /^https?:$/.test(link.protocol)) links.add(link.href);
    },
  }).end(body);
  return links.size === 0 ? { status: 'unknown', reason: NO_LINKS } : { status: 'read', links: [...links] };
};

export interface LinkPageCrawlerOptions {
  readonly http: Transport<'link-pages'>;
  readonly db: Queryable;
  /** Schema of the build of `people`. @throws if there is none. */
  readonly schema: () => string;
  readonly log: EventLog;
  readonly availability: Pick<LogAvailability, 'isUnavailable' | 'untilBack'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ratePerS: number;
  /** Called with the outcome of each reading. */
  readonly onReading?: (outcome: string) => void;
}

/** A page is read again after a week: people rarely change what they list. */
const REFRESH_MS = 7 * 86_400_000;
/** A page that could not be read is tried again after a day. */
const RETRY_MS = 86_400_000;
const IDLE_MS = 5_000;
const BATCH = 50;
/** Failures in a row after which nothing is read for a while. */
const MAX_FAILURES = 10;
const PAUSE_MS = 15 * 60_000;

/** Reads the link pages that profiles link to. One process runs it at a time. */
export const createLinkPageCrawler = (options: LinkPageCrawlerOptions) => {
  const { http, db, schema, log, availability, clock, logger, ratePerS, onReading } = options;
  /** Pages that could not be read, and when they may be tried again. */
  const resting = new Map<string, number>();
  let failures = 0;

  const fetchPage = async (page: string): Promise<LinkPageReading> => {
    try {
      return readLinkPage(await http.fetch({ platform: 'link-pages', url: `https://${page}` }));
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      return { status: 'unknown', reason: error.reason };
    }
  };

  const readOne = async (page: string, signal: AbortSignal): Promise<void> => {
    const reading = await fetchPage(page);
    if (signal.aborted) return;
    const outcome = reading.status === 'unknown' ? `unknown:${reading.reason}` : reading.status;
    onReading?.(outcome);
    if (reading.status === 'unknown') {
      logger.debug({ page, reason: reading.reason }, 'link page could not be read');
      resting.set(page, clock.now() + RETRY_MS);
      // Anyone can make pages that list nothing: they say nothing about whether others can be read.
      if (reading.reason !== NO_LINKS) failures += 1;
      return;
    }
    failures = 0;
    const links = reading.status === 'read' ? reading.links : null;
    await retryAppend(availability, signal, () => recordLinkPage(log, page, links, clock.now()));
  };

  /** Reads the pages that are due. @returns how long to wait for more, in ms. */
  const step = async (signal: AbortSignal): Promise<number> => {
    if (availability.isUnavailable()) return IDLE_MS;
    for (const [page, until] of resting) if (until <= clock.now()) resting.delete(page);
    const due = await readDueLinkPages(db, schema(), {
      before: isoOf(clock.now() - REFRESH_MS),
      but: [...resting.keys()],
      limit: BATCH,
    });
    for (const page of due) {
      if (signal.aborted) return 0;
      await readOne(page, signal);
      if (failures >= MAX_FAILURES) {
        failures = 0;
        logger.warn({ pauseMs: PAUSE_MS }, 'link pages can’t be read; they rest');
        return PAUSE_MS;
      }
      await pause(realMs(1_000 / ratePerS), signal);
    }
    return IDLE_MS;
  };

  return {
    /** Reads until the signal fires. */
    run: async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        const waitMs = await step(signal).catch((error: unknown) => {
          if (!signal.aborted) logger.error({ err: error }, 'reading link pages failed; it will be retried');
          return IDLE_MS;
        });
        await pause(realMs(waitMs), signal);
      }
    },
    step,
  };
};
