import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { DIRECTORY_PLATFORMS } from '../../platforms/index.ts';
import type { Scope } from '../../write/holders/plans.ts';

/** A call that the welcome shows, or that proves that there is something to show. */
export interface Example {
  readonly path: string;
  readonly scope: Scope;
  /** Sent as JSON by POST; by default the call is a GET. */
  readonly body?: Readonly<Record<string, string>>;
}

/** Asks the API as a caller does. */
export const createExamples = ({ base, key, scopes, stop, logger, isCrawled }: ExamplesOptions): Examples => {
  const answered = new Set<string>();
  /** @param onData is called with what it answered. */
  const ask = async (
    { path, body }: Example,
    onData?: (data: unknown, next: string | null) => void,
  ): Promise<Outcome> => {
    if (answered.has(path)) return 'data';
    try {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(`${base}${path}`, { headers, signal: stop, ...sent });
      const { data, meta } = (await response.json()) as {
        data?: unknown;
        meta?: { readonly next_cursor?: string | null };
      };
      if (response.status === 401 || response.status === 403) return 'refused';
      if (response.status !== 200 || !isData(data)) return 'none';
      answered.add(path);
      onData?.(data, meta?.next_cursor ?? null);
      return 'data';
    } catch (error) {
      stop.throwIfAborted();
      // The process of the API is being started again.
      logger.debug({ err: errorMessage(error), path }, 'an example request failed');
      return 'refused';
    }
  };
  const isAllowed = ({ scope }: Example): boolean => scopes.has(scope);

  return {
    chooseAccount: async (handles) => {
      const first = handles[0] ?? '';
      if (!isAllowed(timelineOf(first))) return first;
      const startedMs = performance.now();
      const rest = [...handles];
      let best: { readonly handle: string; readonly insights: number; readonly next: string | null } | null =
        null;
      for (let handle = rest.shift(); handle !== undefined && !isOver(startedMs, null); ) {
        const name = handle;
        let read = { handle: name, insights: 0, next: null as string | null };
        const outcome = await ask(timelineOf(handle, TIMELINE), (data, next) => {
          read = { handle: name, insights: insightsIn(data, Date.now()), next };
        });
        if (outcome === 'data' && read.insights > (best?.insights ?? -1)) best = read;
        if (best?.insights === 2) break;
        if (outcome === 'refused') await sleep(POLL_MS, undefined, { signal: stop });
        else handle = rest.shift();
      }
      // Figures of hours take more posts than a page has.
      if (best !== null && best.next !== null) await ask(timelineOf(best.handle, TIMELINE, best.next));
      return best?.handle ?? first;
    },
    firstOf: async (handle) => {
      const first = accountOf(handle);
      const startedMs = performance.now();
      while ((await ask(first)) !== 'data' && !isOver(startedMs, null))
        await sleep(POLL_MS, undefined, { signal: stop });
      return first;
    },
    untilAnswered: async (handle) => {
      const shown = [
        directory,
        timelineOf(handle),
        listings,
        decisionMakers,
        graphOf(handle),
        personOf(handle),
        insightsOf(handle),
        runs,
        engines,
        ageOf(handle),
      ];
      const wanted = [...entries, ...shown].filter(isAllowed);
      const startedMs = performance.now();
      let crawledMs: number | null = null;
      for (;;) {
        const outcomes = await Promise.all(wanted.map((example) => ask(example)));
        if (outcomes.every((outcome) => outcome === 'data') || isOver(startedMs, crawledMs)) {
          return shown.filter(({ path }) => answered.has(path));
        }
        crawledMs = (await isCrawled()) ? (crawledMs ?? performance.now()) : null;
        await sleep(POLL_MS, undefined, { signal: stop });
      }
    },
  };
};

const directory: Example = { path: '/directory?sort=followers&limit=5', scope: 'directory:read' };
const listings: Example = { path: '/marketplace/listings?limit=5', scope: 'marketplace:read' };
const decisionMakers: Example = { path: '/leads/linkedin/people?seniority=cxo&limit=5', scope: 'leads:read' };

const engines: Example = { path: '/engines', scope: 'engines:read' };
const runs: Example = { path: '/research/runs?limit=5', scope: 'research:read' };

/** Every platform has an entry before the welcome. LinkedIn, which the directory leaves out, has people. */
const entries: readonly Example[] = DIRECTORY_PLATFORMS.map((platform) => ({
  path: `/directory/${platform}?limit=1`,
  scope: 'directory:read',
}));

const accountOf = (handle: string): Example => ({
  path: `/accounts/x/${encodeURIComponent(handle)}`,
  scope: 'accounts:read',
});

const timelineOf = (handle: string, limit = 5, cursor?: string): Example => ({
  path: `/scrape/x/tweets?handle=${encodeURIComponent(handle)}&limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
  scope: 'scrape:live',
});

const personOf = (handle: string): Example => ({
  path: `/people/lookup?platform=x&handle=${encodeURIComponent(handle)}`,
  scope: 'people:read',
});

const insightsOf = (handle: string): Example => ({
  path: `/insights/x/${encodeURIComponent(handle)}`,
  scope: 'insights:read',
});

const ageOf = (handle: string): Example => ({
  path: '/tools/account-age',
  scope: 'tools:run',
  body: { platform: 'x', handle },
});

const graphOf = (handle: string): Example => ({
  path: `/leads/x/follower-graph?handle=${encodeURIComponent(handle)}&limit=5`,
  scope: 'leads:read',
});

interface Single {
  readonly exists?: boolean;
  readonly accounts?: readonly unknown[];
  readonly posts_sampled?: number;
  readonly age_days?: number;
}

/** An account that exists, its age, a person, figures of posts, or a list that is not empty. */
const isData = (data: unknown): boolean => {
  if (Array.isArray(data)) return data.length > 0;
  const single = data as Single | null;
  const count = Math.max(single?.accounts?.length ?? 0, single?.posts_sampled ?? 0);
  return single?.exists === true || single?.age_days !== undefined || count > 0;
};

const DAY_MS = 86_400_000;
/** Ripe originals with which insights of an account answer, and some more. */
const ENOUGH_POSTS = 12;
/** The same of half of the window of an account’s hours, so that two pages of a timeline suffice for these. */
const ENOUGH_OF_HOURS = 24;

/**
 * How many figures a timeline carries, by its originals that are at least three days old: 2 if those of an account and
 * of its hours, 1 if those of the account, else 0.
 */
const insightsIn = (data: unknown, nowMs: number): number => {
  const posts = data as readonly { readonly at: string | null; readonly kind: string }[];
  const ages = posts.flatMap(({ at, kind }) =>
    at === null || kind !== 'original' ? [] : [nowMs - Date.parse(at)],
  );
  const within = (days: number) => ages.filter((age) => age > 3 * DAY_MS && age < days * DAY_MS).length;
  if (within(30) < ENOUGH_POSTS) return 0;
  return within(45) < ENOUGH_OF_HOURS ? 1 : 2;
};

interface ExamplesOptions {
  /** URL of the API with its version. */
  readonly base: string;
  readonly key: string;
  /** Scopes of the key: what it may not call is not shown. */
  readonly scopes: ReadonlySet<Scope>;
  readonly stop: AbortSignal;
  readonly logger: Pick<Logger, 'debug'>;
  /** Whether most accounts have been read: a small world may have nothing to answer a call with. */
  isCrawled(): Promise<boolean>;
}

/** The calls that the welcome shows: each has answered with data before. */
interface Examples {
  /** The first of these accounts of X whose timeline carries the most insights, or the first of all if none answers. */
  chooseAccount(handles: readonly string[]): Promise<string>;
  /** Waits until the account is answered. @returns the call that asks for it. */
  firstOf(handle: string): Promise<Example>;
  /** Waits until every platform has an entry and every other call has answered with data. @returns those to print. */
  untilAnswered(handle: string): Promise<readonly Example[]>;
}

/** `refused`: the API does not know the key yet, or is being started again. */
type Outcome = 'data' | 'none' | 'refused';

const POLL_MS = 150;
/** Posts of a timeline that are looked at. */
const TIMELINE = 40;
/** After so long, the calls that answer are printed without the others. */
const PATIENCE_MS = 60_000;
/** The same once most accounts are read. */
const CRAWLED_PATIENCE_MS = 10_000;

const isOver = (startedMs: number, crawledMs: number | null): boolean => {
  const nowMs = performance.now();
  return nowMs > startedMs + PATIENCE_MS || (crawledMs !== null && nowMs > crawledMs + CRAWLED_PATIENCE_MS);
};
