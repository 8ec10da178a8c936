import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../../src/crawlers/engine/engine.ts';
import type { Frontier } from '../../../src/crawlers/frontier.ts';
import { FetchError, type HttpRequest } from '../../../src/crawlers/http/port.ts';
import type { FetchOptions, RateLimitedHttp } from '../../../src/crawlers/http/rate-limited-http.ts';
import type { Address, Outcome, PlatformAdapter, Surface } from '../../../src/crawlers/platforms/adapter.ts';
import { createRegistry } from '../../../src/crawlers/platforms/registry.ts';
import { firstConclusive, stepsOf } from '../../../src/crawlers/platforms/shared/read-surfaces.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import {
  createLogAvailability,
  type LogAvailability,
  withAvailability,
} from '../../../src/write/log/availability.ts';
import { type EventLog, LogUnavailableError, type NewEvent } from '../../../src/write/log/port.ts';
import { uncontrolled } from '../../support/controls.ts';
import { idleRecruiter, leaseOf } from '../../support/leases.ts';
import { until } from '../../support/wait.ts';

const registry = createRegistry();
const KNOWN = ['known_one', 'known_two'];

const present = (handle: string): Outcome => ({
  status: 'present',
  profile: emptyProfile(handle),
  posts: null,
  measured: [],
});
const handleOf = (address: Address) => (address.kind === 'handle' ? address.handle : address.id);
const absent: Outcome = { status: 'absent' };

/** What the platform says of a handle just now. */
let answer: (handle: string) => Outcome;
let events: { stream: string; type: string; data: unknown }[];
let settled: { done: string[]; retried: string[]; released: string[] };
let due: string[];
let asked: string[];
let engine: Engine;

/** While the log is away each call fails, and an append may have been taken all the same. */
let isLogAway: boolean;
let awayFor: 'all' | 'appends';
let tried: string[];
let lines: string[];
let isPaused: boolean;
let areControlsAway: boolean;
let controlsAsked: number;
let availability: LogAvailability;

const answerOrFail = () => {
  if (isLogAway) throw new LogUnavailableError('no leader');
};

const log = {
  append: async (stream: string, appended: readonly NewEvent[]) => {
    tried.push(...appended.map(({ id }) => id));
    answerOrFail();
    events.push(...appended.map(({ type, data }) => ({ stream, type, data })));
    return { status: 'appended' as const, revision: 0n, position: 1n };
  },
  readStream: async (stream: string) => {
    if (isLogAway && awayFor === 'all') throw new LogUnavailableError('no leader');
    const own = events.filter((event) => event.stream === stream && stream.startsWith('engine-'));
    return own.map((event, n) => ({ ...event, revision: BigInt(n) })).reverse();
  },
} as unknown as EventLog;

const http: RateLimitedHttp = {
  fetch: async ({ url }) => {
    asked.push(url);
    return { url, status: 200, headers: {}, body: '', bytes: 0 };
  },
  takeTraffic: () => ({ requests: 0, bytes: 0 }),
  circuit: {
    open: async (_platform, ms) => {
      opened.push(ms);
    },
    openForMs: async () => 0,
  },
  close: async () => undefined,
};

const candidateOf = (handle: string) =>
  ({ platform: 'x', handle, via: 'mention', from: 'account-x:a', source: 'seed-x', depth: 1 }) as const;
/** Candidates that were not found, and pauses of the platform. */
let missed: string[];
let opened: number[];
/** Until when accounts rest that could not be read. */
let rests: number[];

/** Pools that are paused; none by default. */
let paused: AbortController;
/** Looks at the settings of pools again. */
let confirming: () => Promise<void>;
/** The pool of all accounts. */
const activeOf = (_pool: string): AbortSignal => paused.signal;

const frontier: Frontier = {
  lease: async (_platform, most) =>
    due.splice(0, most).map((handle) => ({
      ...leaseOf(handle, Date.now() + 60_000),
      candidate: handle.startsWith('candidate') ? candidateOf(handle) : null,
    })),
  done: async (_platform, handle) => {
    settled.done.push(handle);
  },
  retry: async (_platform, { handle }, untilMs) => {
    settled.retried.push(handle);
    rests.push(untilMs);
  },
  used: () => undefined,
  release: async (_platform, leases) => {
    settled.released.push(...leases.map(({ handle }) => handle));
  },
  sweep: async () => undefined,
};

const page: Surface = {
  name: 'page',
  format: 'html',
  matches: (url) => url.hostname === 'x.com',
  request: (address) => ({ platform: 'x', url: `https://x.com/${handleOf(address)}` }),
  parse: (_, address) => ({ ...answer(handleOf(address)), surface: 'page', warnings: [] }),
};
const adapter: PlatformAdapter = {
  ...registry.adapterOf('x'),
  surfaces: [page],
  read: (address, options) => firstConclusive(options.http, stepsOf([page], address), address),
};

beforeEach(() => {
  answer = (handle) => (handle.startsWith('known') ? present(handle) : absent);
  events = [];
  missed = [];
  opened = [];
  rests = [];
  settled = { done: [], retried: [], released: [] };
  due = [];
  asked = [];
  isLogAway = false;
  paused = new AbortController();
  awayFor = 'all';
  tried = [];
  lines = [];
  isPaused = false;
  confirming = async () => undefined;
  areControlsAway = false;
  controlsAsked = 0;
  availability = createLogAvailability(
    async () => answerOrFail(),
    pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) }),
  );
  engine = createEngine({
    adapter,
    worker: 'w1',
    http,
    liveTraffic: { add: async () => undefined, take: async () => ({ requests: 0, bytes: 0 }) },
    log: withAvailability(log, availability),
    availability,
    frontier,
    pools: { whileActive: (pool) => activeOf(pool), confirmed: () => confirming(), revision: () => 0 },
    ...uncontrolled,
    controls: {
      engine: async () => {
        controlsAsked += 1;
        if (areControlsAway) throw new Error('no database');
        return { paused: isPaused, ratePerS: null };
      },
    },
    recruiter: {
      ...idleRecruiter,
      missed: async ({ handle }) => {
        missed.push(handle);
      },
    },
    clock: { now: () => Date.now() },
    random: seededRandom(1),
    logger: silentLogger,
    concurrency: 2,
    posts: false,
    probes: { present: KNOWN, private: [], suspended: [] },
    retryMs: 20,
  });
});

const typesOf = (stream: string) => events.filter((event) => event.stream === stream).map(({ type }) => type);
const read = async (handle: string) => {
  due.push(handle);
  const before = settled.done.length + settled.retried.length;
  await until(`${handle} was read`, () => settled.done.length + settled.retried.length > before);
};

describe('names that readings found', () => {
  it('open no breaker and raise no alarm where nobody has them', async () => {
    answer = () => ({ status: 'unknown', reason: 'ambiguous', detail: 'nobody, or removed' });
    void engine.run();
    for (let n = 0; n < 12; n++) await read(`candidate${n}`);
    await engine.stop();
    expect(missed).toHaveLength(12);
    expect(opened).toEqual([]);
    expect(typesOf('engine-x')).not.toContain('EngineDegraded');
  });
});

describe('accounts that were erased', () => {
  it('rest, however often they are leased, and say nothing of the platform', async () => {
    answer = () => ({ status: 'unknown', reason: 'erased', detail: 'it was' });
    const before = Date.now();
    void engine.run();
    for (let n = 0; n < 12; n++) await read(n % 2 === 0 ? `candidate${n}` : `member${n}`);
    await engine.stop();
    expect(missed).toHaveLength(6);
    expect(Math.min(...rests) - before).toBeGreaterThan(29 * 86_400_000);
    expect(opened).toEqual([]);
    expect(typesOf('engine-x')).toEqual([]);
    expect(typesOf('engine-x:reports')).toEqual([]);
  });
});

describe('a healthy engine', () => {
  it('accepts an absence', async () => {
    void engine.run();
    await engine.selfProbe();
    await read('somebody');
    await engine.stop();
    expect(typesOf('account-x:somebody')).toEqual(['AccountUnavailable']);
    expect(typesOf('engine-x')).toEqual([]);
    expect(typesOf('engine-x:reports')).toEqual(['CrawlBatchCompleted']);
  });
});

describe('an engine that no longer sees existing accounts', () => {
  it('raises an alarm, stops using the lying surface, and uses it again once its probe is right', async () => {
    answer = () => absent;
    void engine.run();
    await engine.selfProbe();
    expect(events).toMatchObject([{ type: 'EngineDegraded', data: { reason: 'false_absence' } }]);
    await read('somebody');
    expect(settled.retried).toEqual(['somebody']);
    expect(asked).not.toContain('https://x.com/somebody');
    expect(typesOf('account-x:somebody')).toEqual([]);

    answer = (handle) => (handle.startsWith('known') ? present(handle) : absent);
    await engine.selfProbe();
    await read('somebody');
    await engine.stop();
    expect(typesOf('account-x:somebody')).toEqual(['AccountUnavailable']);
    expect(typesOf('engine-x')).toEqual(['EngineDegraded', 'EngineRecovered']);
    expect(typesOf('engine-x:reports')).toEqual(['CrawlBatchCompleted']);
    expect(events.at(-1)?.data).toMatchObject({ outcomes: { 'unknown:layout_changed': 1, absent: 1 } });
  });
});

describe('an engine blocked by its platform', () => {
  const shut: Outcome = { status: 'unknown', reason: 'rate_limited', detail: 'so', retryAfterMs: 10 };

  it('releases its leases, tries one account at a time, and resumes when one succeeds', async () => {
    answer = () => shut;
    const names = Array.from({ length: 8 }, (_, i) => `name${i}`);
    due.push(...names);
    void engine.run();
    await until('the rest was released', () => settled.released.length > 0);
    expect(settled.retried.length).toBeLessThanOrEqual(2);
    answer = present;
    due.push(...settled.released, ...settled.retried);
    await until('all were read', () => names.every((name) => settled.done.includes(name)));
    await engine.stop();
    expect(typesOf('engine-x').slice(0, 2)).toEqual(['EngineDegraded', 'EngineRecovered']);
  });
});

describe('an engine that cannot store a reading', () => {
  it('leaves the account to be read again, and continues', async () => {
    void engine.run();
    const append = log.append;
    Object.assign(log, { append: () => Promise.reject(new Error('the log is away')) });
    due.push('lost');
    await until('it was tried', () => due.length === 0);
    Object.assign(log, { append });
    await read('kept');
    await engine.stop();
    expect(settled.done).toEqual(['kept']);
  });
});

describe('an engine whose surface calls public accounts private', () => {
  it('raises an alarm and records no account as private', async () => {
    const hidden: Outcome = { ...present('x'), status: 'private' } as Outcome;
    answer = () => hidden;
    void engine.run();
    await engine.selfProbe();
    expect(events).toMatchObject([{ type: 'EngineDegraded', data: { reason: 'false_privacy' } }]);
    await read('somebody');
    await engine.stop();
    expect(typesOf('account-x:somebody')).toEqual([]);
  });
});

describe('an engine that was shut out while nothing is due', () => {
  it('resumes when its probe succeeds', async () => {
    answer = () => ({ status: 'unknown', reason: 'rate_limited', detail: 'so' });
    void engine.run();
    await read('somebody');
    await until('it says so', () => typesOf('engine-x').includes('EngineDegraded'));
    answer = (handle) => (handle.startsWith('known') ? present(handle) : absent);
    await until('it is over', async () => {
      await engine.selfProbe();
      return typesOf('engine-x').includes('EngineRecovered');
    });
    await engine.stop();
    expect(settled.done).toEqual([]);
  });
});

describe('an engine whose requests are paused by another process', () => {
  it('counts no failure, logs nothing, and resumes when the pause is over', async () => {
    const { fetch } = http;
    let pausedUntil = Date.now() + 60;
    Object.assign(http, {
      fetch: async (request: HttpRequest) => {
        const left = pausedUntil - Date.now();
        if (left > 0) throw new FetchError('paused', 'paused', { retryAfterMs: left });
        return fetch(request);
      },
    });
    due.push('known_one', 'known_two', 'known_three');
    void engine.run();
    await until('what it held was released', () => settled.released.length >= 2);
    expect(settled).toMatchObject({ done: [], retried: [] });
    pausedUntil = 0;
    due.push(...settled.released);
    await until('they were read', () => settled.done.length >= 2);
    await engine.stop();
    Object.assign(http, { fetch });
    expect(settled.retried).toEqual([]);
    expect(typesOf('engine-x')).toEqual([]);
    expect(typesOf('engine-x:reports')).toEqual(['CrawlBatchCompleted']);
  });
});

describe('an engine that an operator pauses', () => {
  const { fetch } = http;
  afterEach(() => {
    Object.assign(http, { fetch });
  });

  it('starts no request, even one that waits for its token, and leaves the accounts for later', async () => {
    const token = Promise.withResolvers<void>();
    const waiting: string[] = [];
    Object.assign(http, {
      fetch: async (request: HttpRequest, { mayStart }: FetchOptions = {}) => {
        waiting.push(request.url);
        await token.promise;
        await mayStart?.();
        return fetch(request);
      },
    });
    due.push('one', 'two', 'three');
    void engine.run();
    await until('requests wait for tokens', () => waiting.length === 2);
    isPaused = true;
    token.resolve();
    await until('all that it held is released', () => settled.released.length === 3);
    due.push('four');
    await engine.selfProbe();
    await engine.report();
    expect(asked).toEqual([]);
    expect(settled).toMatchObject({ done: [], retried: [] });

    isPaused = false;
    due.push(...settled.released);
    await until('all are read', () => settled.done.length === 4);
    await engine.stop();
    expect(typesOf('engine-x')).toEqual([]);
    expect(events.at(-1)?.data).toMatchObject({ outcomes: { absent: 4 }, last_error: null });
  });

  it('starts no request for a pool that was paused unnoticed', async () => {
    const token = Promise.withResolvers<void>();
    const waiting: string[] = [];
    Object.assign(http, {
      fetch: async (request: HttpRequest, { mayStart }: FetchOptions = {}) => {
        waiting.push(request.url);
        await token.promise;
        await mayStart?.();
        return fetch(request);
      },
    });
    due.push('one', 'two');
    void engine.run();
    await until('requests wait for tokens', () => waiting.length === 2);
    confirming = async () => paused.abort();
    token.resolve();
    await until('both are released', () => settled.released.length === 2);
    await engine.stop();
    expect(asked).toEqual([]);
    expect(settled).toMatchObject({ done: [], retried: [] });
  });

  it('leases nothing while it cannot know whether it is paused', async () => {
    areControlsAway = true;
    due.push('one');
    void engine.run();
    await until('it has asked', () => controlsAsked > 1);
    expect(due).toEqual(['one']);
    areControlsAway = false;
    await until('it is read', () => settled.done.length === 1);
    await engine.stop();
  });
});

describe('an engine whose log is unavailable', () => {
  const handles = Array.from({ length: 20 }, (_, i) => `account_${i}`);

  it.each(['all', 'appends'] as const)(
    'leases nothing more, holds its readings, and appends them with the same IDs when the log is back (%s)',
    async (what) => {
      awayFor = what;
      isLogAway = true;
      due.push(...handles);
      void engine.run();
      await until('the log is known to be away', () => availability.isUnavailable());
      const inHand = asked.length;
      expect(inHand).toBeLessThanOrEqual(2);
      await engine.selfProbe();
      await engine.report();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(asked.length).toBe(inHand);
      expect([settled.done, settled.retried, settled.released]).toEqual([[], [], []]);

      isLogAway = false;
      await until('all are read', () => settled.done.length === handles.length);
      await engine.stop();
      expect(asked.length).toBe(handles.length);
      expect(settled.retried).toEqual([]);
      for (const handle of handles) expect(typesOf(`account-x:${handle}`)).toEqual(['AccountUnavailable']);
      // Each append that was tried again was the same event.
      if (what === 'appends') expect(new Set(tried).size).toBe(events.length);
      expect(lines).toEqual([
        'event log unavailable; components that need it wait',
        'event log available again',
      ]);
      availability.close();
    },
  );

  it('stops at once, without logging its dropped readings', async () => {
    isLogAway = true;
    due.push(...handles);
    void engine.run();
    await until('it has something in hand', () => asked.length > 0);
    await until('the log is known to be away', () => availability.isUnavailable());
    await engine.stop();
    expect(settled.done).toEqual([]);
    expect(events).toEqual([]);
    availability.close();
  });
});
