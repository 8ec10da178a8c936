import { beforeEach, describe, expect, it } from 'vitest';
import { FetchError, type HttpRequest, type Page } from '../../../src/crawlers/http/port.ts';
import type { FetchOptions } from '../../../src/crawlers/http/rate-limited-http.ts';
import { type LiveCall, wasLimited } from '../../../src/crawlers/live-read/live-queue.ts';
import type { LiveReader } from '../../../src/crawlers/live-read/port.ts';
import { createLiveReader } from '../../../src/crawlers/live-read/reader.ts';
import type { PlatformAdapter } from '../../../src/crawlers/platforms/adapter.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import { readStep } from '../../../src/crawlers/platforms/shared/read-surfaces.ts';
import type { EventLog, NewEvent } from '../../../src/write/log/port.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Requests that wait until they are answered, as a platform would. */
let waiting: { request: HttpRequest; options: FetchOptions; answer: (page: Partial<Page>) => void }[];
let sends: boolean;
let now: number;

const http = {
  fetch: async (request: HttpRequest, options: FetchOptions = {}): Promise<Page> => {
    await options.mayStart?.();
    return new Promise((resolve, reject) => {
      if (sends) options.onRequest?.();
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      waiting.push({
        request,
        options,
        answer: (page) =>
          resolve({ url: request.url, status: 200, headers: {}, body: '', bytes: 0, ...page }),
      });
    });
  },
};

/** A platform whose accounts are all absent, one request each; two with posts. */
const adapter: PlatformAdapter = {
  ...adapterOf('bluesky'),
  read: async (address, { http: given, posts }) => {
    const url = `https://public.api.bsky.app/${address.kind === 'handle' ? address.handle : address.id}`;
    const step = { surface: surfaceOf(), request: { platform: 'bluesky' as const, url } };
    const reading = await readStep(given, step, address);
    return posts && reading.status !== 'unknown' ? readStep(given, step, address) : reading;
  },
};
const surfaceOf = () => ({
  name: 'stub',
  format: 'json' as const,
  matches: () => true,
  request: () => null,
  parse: ({ status }: Page) =>
    status === 200
      ? ({ status: 'absent', surface: 'stub', warnings: [] } as const)
      : ({ status: 'unknown', reason: 'http_error', detail: 'x', surface: 'stub', warnings: [] } as const),
});

const log = {
  append: async () => ({ status: 'appended', revision: 0n, position: 1n }),
  readStream: async () => [],
} as unknown as EventLog;

const options = () => ({
  adapterOf: () => adapter,
  http,
  circuit: { openForMs: async () => 0 },
  log,
  availability: { answers: async () => true },
  clock: { now: () => now },
  nowMs: () => now,
  concurrency: 3,
});

let reader: LiveReader;
beforeEach(() => {
  waiting = [];
  sends = true;
  now = Date.now();
  reader = createLiveReader(options());
});

const call = (holder = 'a', ms = 10_000): LiveCall => ({ holder, requestId: 'r', untilMs: now + ms });
const read = (handle: string, more: { holder?: string; ms?: number; posts?: boolean } = {}) =>
  reader.read('bluesky', { kind: 'handle', handle }, call(more.holder, more.ms), {
    posts: more.posts ?? false,
  });
const codeOf = (error: { code?: string }) => error.code;
const answerAll = async (page: Partial<Page> = {}) => {
  for (const one of waiting.splice(0)) one.answer(page);
  for (let i = 0; i < 5; i++) await settle();
};

describe('a call with a limit of requests', () => {
  const limited = (left: number) => ({ ...call(), requests: { left } });

  it('counts each request, and sends none beyond the limit', async () => {
    const limit = limited(3);
    const first = reader.read('bluesky', { kind: 'handle', handle: 'one' }, limit);
    await settle();
    await answerAll();
    await first;
    expect(limit.requests.left).toBe(2);
    limit.requests.left = 0;
    const refused = reader.read('bluesky', { kind: 'handle', handle: 'two' }, limit).catch(codeOf);
    expect(await refused).toBe('service_unavailable');
    expect(waiting).toHaveLength(0);
    expect(wasLimited(limit)).toBe(true);
  });

  it('gives the last request to one of two parallel reads, and knows that one was refused', async () => {
    const limit = limited(1);
    const both = ['one', 'two'].map((handle) =>
      reader.read('bluesky', { kind: 'handle', handle }, limit).catch(codeOf),
    );
    await settle();
    expect(waiting).toHaveLength(1);
    expect(wasLimited(limit)).toBe(true);
    await answerAll();
    expect(await Promise.all(both)).toEqual([
      expect.objectContaining({ reading: expect.objectContaining({ status: 'absent' }) }),
      'service_unavailable',
    ]);
    expect(limit.requests.left).toBe(0);
  });

  it('was not limited if it sent exactly its number', async () => {
    const limit = limited(1);
    const only = reader.read('bluesky', { kind: 'handle', handle: 'one' }, limit);
    await settle();
    await answerAll();
    await only;
    expect([limit.requests.left, wasLimited(limit)]).toEqual([0, false]);
  });

  it('has requests of its own if it joined a read', async () => {
    const limit = limited(1);
    const address = { kind: 'handle', handle: 'one' } as const;
    const first = reader.read('bluesky', address, limit, { posts: true }).catch(codeOf);
    const joined = reader.read('bluesky', address, call('b'), { posts: true });
    await settle();
    expect(waiting).toHaveLength(1);
    await answerAll();
    expect(await first).toBe('service_unavailable');
    await answerAll();
    await answerAll();
    expect((await joined).reading.status).toBe('absent');
  });
});

describe('equal live reads', () => {
  it('in progress are one request, for any number of holders', async () => {
    const reads = Array.from({ length: 200 }, (_, i) => read('same', { holder: `h${i % 7}` }));
    await settle();
    expect(waiting).toHaveLength(1);
    await answerAll();
    const found = await Promise.all(reads);
    expect(found.every(({ reading }) => reading.status === 'absent')).toBe(true);
  });

  it('are not equal if one is with posts', async () => {
    const both = [read('same'), read('same', { posts: true })];
    await settle();
    expect(waiting).toHaveLength(2);
    await answerAll();
    await answerAll();
    await Promise.all(both);
  });

  it('that failed are not shared with later callers', async () => {
    const first = read('same').catch(codeOf);
    await settle();
    await answerAll({ status: 500 });
    expect(await first).toBe('platform_error');
    const later = read('same');
    await settle();
    expect(waiting).toHaveLength(1);
    await answerAll();
    expect((await later).reading.status).toBe('absent');
  });
});

describe('live reads of a holder', () => {
  it('are limited at once, and never delay another holder', async () => {
    const many = Array.from({ length: 9 }, (_, i) => read(`a${i}`));
    const other = read('b', { holder: 'b' });
    await settle();
    expect(waiting.map(({ options }) => options.holder)).toEqual(['a', 'a', 'a', 'b']);
    expect(waiting.every(({ options }) => options.trafficClass === 'live')).toBe(true);
    for (let i = 0; i < 4; i++) await answerAll();
    await Promise.all([...many, other]);
  });

  it('that wait are not what another holder waits for who asks for the same account', async () => {
    const many = ['a1', 'a2', 'a3', 'same'].map((name) => read(name));
    await settle();
    const other = read('same', { holder: 'b' });
    await settle();
    expect(waiting.map(({ options }) => options.holder)).toEqual(['a', 'a', 'a', 'b']);
    for (let i = 0; i < 3; i++) await answerAll();
    await Promise.all([...many, other]);
  });

  it('that wait for others of their holder fail at their deadline, and say that nothing was sent', async () => {
    const slow = ['a1', 'a2', 'a3'].map((name) => read(name).catch(codeOf));
    await settle();
    expect(await read('a4', { ms: 20 }).catch(codeOf)).toBe('service_unavailable');
    expect(waiting).toHaveLength(3);
    await answerAll();
    await Promise.all(slow);
  });
});

describe('the last page of a follower list', () => {
  it.each([
    ['is its end if about as many were listed as the profile states', 55, { done: true, capped: false }],
    ['is capped if the platform ends the list before', 500, { done: false, capped: true }],
    ['is its end if the profile states nothing', null, { done: true, capped: false }],
  ])('says whether it ended: %s', async (_, stated, expected) => {
    const appended: NewEvent[] = [];
    const members = [{ id: '1', handle: 'a' }];
    const lists = createLiveReader({
      ...options(),
      adapterOf: () => ({
        ...adapter,
        readFollows: async () => ({
          status: 'present',
          members,
          order: 'newest_first',
          cursor: null,
          surface: 'stub',
          warnings: [],
        }),
      }),
      log: {
        ...log,
        append: async (_: string, events: readonly NewEvent[]) => {
          appended.push(...events);
          return { status: 'appended', revision: 0n, position: 1n };
        },
      } as unknown as EventLog,
    });
    const at = { owner: '9', cursor: null, session: null };
    const sweep = { id: 's', part: 2, isResumed: false, listed: 50, stated, handle: 'owner' };
    const reading = lists.readFollowers('bluesky', at, sweep, 1, call());
    await settle();
    const { recorded } = await reading;
    expect(appended.map(({ data }) => data)).toMatchObject([{ page: 2, ...expected }]);
    expect(recorded).toEqual({ sweep: 's', first: 2, pages: 3 });
  });
});

describe('the deadline of a live read', () => {
  it('ends its request', async () => {
    const failure = read('slow', { ms: 20 }).catch(codeOf);
    await settle();
    expect(await failure).toBe('platform_timeout');
    expect(waiting[0]?.options.signal?.aborted).toBe(true);
    expect(waiting[0]?.options.signal?.reason).toBeInstanceOf(FetchError);
  });

  it('is no fault of the platform if it passes while waiting for the rate', async () => {
    sends = false;
    expect(await read('slow', { ms: 20 }).catch(codeOf)).toBe('service_unavailable');
  });
});
