import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../infra/simulator/world/account.ts';
import { type CursorPosition, cursorScope } from '../../src/read/keyset.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import { type FollowsData, followsStream } from '../../src/write/follows.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { sighted } from '../support/program.ts';

let program: LiveProgram;
let key: string;
let open: Account;

beforeAll(async () => {
  program = await createLiveProgram();
  key = await program.issueKey();
  open = program.account('x', isOpen);
});
afterAll(() => program.close());
afterEach(async () => {
  program.simulator.faults.clear();
  // Sessions that a fault limited.
  await program.database.db.query('delete from crawl.session_limits');
});

const typesOf = async (stream: string): Promise<string[]> =>
  (await program.log.readStream(stream)).map(({ type }) => type);

describe('scrapeXUser', () => {
  it('reads an account by handle or id, with what the catalog knows of it', async () => {
    const byHandle = await program.get(`/v2/scrape/x/user?handle=@${open.handle.toUpperCase()}`, key);
    expect(byHandle.status).toBe(200);
    expect(byHandle.body.meta).toMatchObject({ source: 'live', cache_age_s: 0 });
    expect(byHandle.body.data).toMatchObject({
      platform: 'x',
      id: open.id,
      handle: open.handle,
      status: 'active',
      followers: open.followers,
    });
    expect(byHandle.headers).toMatchObject({ 'x-request-cost': '5' });
    await program.project();
    const byId = await program.get(`/v2/scrape/x/user?id=${open.id}`, key);
    expect(byId.body.data).toMatchObject({
      handle: open.handle,
      first_seen_at: byHandle.body.data.observed_at,
      last_seen_at: byId.body.data.observed_at,
    });
    expect(await typesOf(accountStream('x', open.handle))).toEqual(['AccountSighted', 'AccountUnchanged']);
  });

  it('answers a proven absence or suspension, with nulls for what is unknown', async () => {
    const absent = await program.get('/v2/scrape/x/user?handle=zz_nobody_zz', key);
    expect(absent.status).toBe(200);
    expect(absent.body.data).toMatchObject({
      status: 'absent',
      handle: 'zz_nobody_zz',
      id: null,
      followers: null,
    });
    expect(absent.headers).toMatchObject({ 'x-request-cost': '5' });
    const gone = program.account('x', ({ status }) => status === 'suspended');
    const suspended = await program.get(`/v2/scrape/x/user?handle=${gone.handle}`, key);
    expect(suspended.body.data).toMatchObject({ status: 'suspended', display_name: null });
  });

  it.each([
    ['', 'query'],
    ['handle=a&id=1', 'query'],
    ['handle=', 'query.handle'],
    ['handle=way_too_long_for_x_handles', 'query.handle'],
    ['handle=na%C3%B1sa', 'query.handle'],
    ['handle=n%00', 'query.handle'],
    ["handle=x'%3B--", 'query.handle'],
    ['id=abc', 'query.id'],
    ['id=1%20or%201', 'query.id'],
    ['handle=x&handle=y', 'query.handle'],
    ['handle=x&platform=tiktok', 'query'],
  ])('refuses "%s" without reading or charging anything', async (query, path) => {
    const { status, body, headers } = await program.get(`/v2/scrape/x/user?${query}`, key);
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_request');
    expect(body.error.details[0].path.startsWith(path)).toBe(true);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });
});

describe('scrapeXUsers', () => {
  it('has an item for each handle in order, and refunds what could not be read', async () => {
    const handles = [open.handle, 'zz_nobody_zz', 'not a handle!', `@${open.handle}`];
    const { status, body, headers } = await program.post('/v2/scrape/x/users', { handles }, key);
    expect(status).toBe(200);
    expect(body.data.items).toMatchObject([
      { handle: open.handle, status: 'ok', account: { id: open.id }, error: null },
      { handle: 'zz_nobody_zz', status: 'absent', account: null, error: null },
      { handle: 'not a handle!', status: 'unknown', account: null, error: { code: 'invalid_request' } },
      { handle: open.handle, status: 'ok' },
    ]);
    expect(headers).toMatchObject({ 'x-request-cost': '10' });
  });

  /** Spellings of one account; the requests to the platform that a batch of them makes, as those of the first alone. */
  const spellings = ({ handle, id }: Account) => [
    handle,
    `@${handle}`,
    handle.toUpperCase(),
    `@${handle.toUpperCase()}`,
    `id:${id}`,
  ];

  it.each(['known', 'unknown'] as const)(
    'charges several spellings of an account that the catalog has as %s once, and reads it once if both names are known',
    async (state) => {
      const isKnown = state === 'known';
      const account = program.account('x', (one) => isOpen(one) && (one.id === open.id) === isKnown);
      const all = spellings(account);
      const alone = program.simulator.requests.x.total;
      await program.get(`/v2/scrape/x/user?handle=${account.handle}`, key);
      const each = program.simulator.requests.x.total - alone;
      if (isKnown) await program.project();
      const before = program.simulator.requests.x.total;
      const { body, headers } = await program.post('/v2/scrape/x/users', { handles: all }, key);
      if (isKnown) expect(program.simulator.requests.x.total - before).toBeLessThanOrEqual(each);
      for (const item of body.data.items)
        expect(item).toMatchObject({
          status: 'ok',
          account: { id: account.id, handle: account.handle },
          error: null,
        });
      expect(headers).toMatchObject({ 'x-request-cost': '5' });
    },
  );

  it('charges a suspended account once for all of its names', async () => {
    const gone = program.account('x', (one) => one.status === 'suspended' && one.index > 40);
    await program.append('x', gone.handle, sighted(gone.handle, new Date().toISOString(), { id: gone.id }));
    await program.project();
    const handles = [`@${gone.handle}`, `id:${gone.id}`];
    const { body, headers } = await program.post('/v2/scrape/x/users', { handles }, key);
    for (const item of body.data.items) expect(item).toMatchObject({ account: { status: 'suspended' } });
    expect(headers).toMatchObject({ 'x-request-cost': '5' });
  });

  it('treats a handle that changed hands and its former owner’s ID as two accounts', async () => {
    const [former, present] = [isOpen, (one: Account) => isOpen(one) && one.id !== open.id].map((wanted) =>
      program.account('x', wanted),
    ) as [Account, Account];
    // The catalog has the handle of one with the ID of the other.
    const at = new Date().toISOString();
    await program.append('x', present.handle, sighted(present.handle, at, { id: former.id }));
    await program.project();
    const handles = [present.handle, `id:${former.id}`];
    const { body, headers } = await program.post('/v2/scrape/x/users', { handles }, key);
    expect(body.data.items).toMatchObject([
      { account: { id: present.id, handle: present.handle } },
      { account: { id: former.id, handle: former.handle } },
    ]);
    expect(headers).toMatchObject({ 'x-request-cost': '10' });
  });

  it('counts spellings once towards the plan’s live calls', async () => {
    const starter = await program.issueKey(undefined, { holder: 'spelled', plan: 'starter' });
    const handles = Array.from({ length: 50 }, (_, i) => spellings(open)[i % 4] as string);
    const { status, body, headers } = await program.post('/v2/scrape/x/users', { handles }, starter);
    expect([status, body.data.items.length]).toEqual([200, 50]);
    expect(headers).toMatchObject({ 'x-request-cost': '10' });
    // What is no handle takes no call.
    const none = Array.from({ length: 21 }, (_, i) => `no handle ${i}`);
    expect((await program.post('/v2/scrape/x/users', { handles: none }, starter)).status).toBe(200);
  });

  it('gives each item the platform’s error, free, if the platform fails', async () => {
    program.simulator.faults.set('x', 'rate_limited');
    const handles = ['one', 'two'];
    const { status, body, headers } = await program.post('/v2/scrape/x/users', { handles }, key);
    expect(status).toBe(200);
    for (const item of body.data.items) {
      expect(item).toMatchObject({ status: 'unknown', error: { code: 'platform_rate_limited' } });
      expect(item.error.retry_after_s).toBeGreaterThan(0);
    }
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it.each([[[]], [Array(51).fill('a')], ['text'], [[1]], [[null]], [[['a']]], [{ 0: 'a' }]])(
    'refuses a batch of %j',
    async (handles) => {
      const { status, body } = await program.post('/v2/scrape/x/users', { handles }, key);
      expect(status).toBe(400);
      expect(body.error.details[0].path).toMatch(/^body\.handles/);
    },
  );

  it('says how many items are allowed if a batch exceeds the plan’s live calls', async () => {
    const starter = await program.issueKey(undefined, { holder: 'starter', plan: 'starter' });
    const handles = Array.from({ length: 21 }, (_, i) => `name${i}`);
    const { status, body, headers } = await program.post('/v2/scrape/x/users', { handles }, starter);
    expect(status).toBe(429);
    // Waiting would not help.
    expect(headers['retry-after']).toBeUndefined();
    expect(body.error).toMatchObject({
      code: 'live_rate_limited',
      details: [{ path: 'body', message: 'at most 20 items on this plan' }],
    });
  });
});

describe('checkAccountLive of an account', () => {
  it.each(['suspended', 'absent'] as const)(
    'that is %s now leaves out the catalog’s figures, live and within its age',
    async (status) => {
      // The first one has been read before.
      const first = program.account('x', (one) => one.status === 'suspended');
      const gone = program.account('x', (one) => one.status === 'suspended' && one.index !== first.index);
      const handle = status === 'suspended' ? gone.handle : 'zz_no_longer_zz';
      const before = new Date(Date.now() - 86_400_000).toISOString();
      await program.append('x', handle, sighted(handle, before, { id: gone.id, followers: 4_711 }));
      await program.project();
      const path = `/v2/accounts/x/${handle}/live`;
      const live = await program.get(path, key);
      expect(live.body.data).toMatchObject({
        status,
        exists: status === 'suspended',
        display_name: null,
        followers: null,
        verified: null,
        in_catalog: true,
        last_seen_at: before,
        stale_s: 0,
      });
      await program.project();
      const free = await program.get(`${path}?max_age_s=3600`, key);
      expect(free.body.meta.source).toBe('catalog');
      expect(free.body.data).toMatchObject({ status, followers: null });
      // The catalog shows what it knew, and how old that is.
      const { data } = (await program.get(`/v2/accounts/x/${handle}`, key)).body;
      expect(data).toMatchObject({ status, followers: 4_711, measured_at: { followers: before } });
      expect(data.stale_s).toBeGreaterThanOrEqual(86_400);
    },
  );
});

describe('scrapeXTweets', () => {
  it('has every post once over its pages, newest first, with the session’s cursor sealed', async () => {
    const short = program.account('x', (one) => isOpen(one) && one.posts > 35 && one.posts < 120);
    const written = program.simulator.world.posts(short, Date.UTC(2026, 9, 1), 1_000);
    const seen: { id: string; at: string }[] = [];
    let cursor = '';
    for (let page = 0; page < 200; page++) {
      const { status, body } = await program.get(
        `/v2/scrape/x/tweets?handle=${short.handle}&limit=15${cursor}`,
        key,
      );
      expect(status).toBe(200);
      expect(body.meta.account).toMatchObject({ id: short.id, status: 'active', followers: short.followers });
      expect(body.data.length).toBeLessThanOrEqual(15);
      seen.push(...body.data);
      if (body.meta.next_cursor === null) break;
      expect(Buffer.from(body.meta.next_cursor, 'base64url').toString('latin1')).not.toContain('env_');
      expect(body.meta.next_cursor.length).toBeLessThanOrEqual(2_048);
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    const times = new Set(seen.map(({ at }) => Math.floor(Date.parse(at) / 1_000)));
    expect(written.filter(({ at }) => !times.has(Math.floor(at / 1_000)))).toEqual([]);
    expect(seen).toHaveLength(written.length);
    const events = await program.log.readStream(accountStream('x', short.handle));
    const spans = events
      .filter(({ type }) => type === 'PostsSighted')
      .map(({ data }) => (data as { span: { from: string | null } | null }).span);
    expect(spans.length).toBeGreaterThan(1);
    // Only the first page says that no newer post is missing.
    expect(spans.slice(1)).toEqual(spans.slice(1).map(() => null));
  });

  it('is empty for an account that shows no timeline, and says why', async () => {
    const hidden = program.account('x', ({ status }) => status === 'private');
    const locked = await program.get(`/v2/scrape/x/tweets?handle=${hidden.handle}`, key);
    expect(locked.body).toMatchObject({
      data: [],
      meta: { next_cursor: null, account: { status: 'private' } },
    });
    const absent = await program.get('/v2/scrape/x/tweets?handle=zz_nobody_zz', key);
    expect(absent.body).toMatchObject({ data: [], meta: { account: { status: 'absent', id: null } } });
    expect(absent.headers).toMatchObject({ 'x-request-cost': '5' });
  });

  it('has at most 40 posts a page, and refuses another list’s cursor', async () => {
    const long = await program.get(`/v2/scrape/x/tweets?handle=${open.handle}&limit=41`, key);
    expect(long).toMatchObject({ status: 400, body: { error: { details: [{ path: 'query.limit' }] } } });
    const first = await program.get(`/v2/scrape/x/tweets?handle=${open.handle}&limit=2`, key);
    const cursor = first.body.meta.next_cursor;
    const other = await program.get(`/v2/scrape/x/followers?handle=${open.handle}&cursor=${cursor}`, key);
    expect(other.body.error.code).toBe('cursor_invalid');
    const changed = await program.get(
      `/v2/scrape/x/tweets?handle=${open.handle}&limit=2&cursor=${cursor.slice(0, -3)}AAA`,
      key,
    );
    expect(changed.body.error.code).toBe('cursor_invalid');
  });
});

describe('scrapeXTweet', () => {
  it('reads a post by its id, and records it with its author', async () => {
    const listed = await program.get(`/v2/scrape/x/tweets?handle=${open.handle}&limit=3`, key);
    const [, post] = listed.body.data;
    const { status, body } = await program.get(`/v2/scrape/x/tweet?id=${post.id}`, key);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: post.id, status: 'ok' });
    const { observed_at: _, pinned, ...same } = body.data.post;
    // A post by itself does not show whether it is pinned.
    expect(pinned).toBeNull();
    expect(post).toMatchObject(same);
  });

  it('proves a missing post absent, and says so of a hidden author’s', async () => {
    const absent = await program.get('/v2/scrape/x/tweet?id=1', key);
    expect(absent).toMatchObject({ status: 200, body: { data: { id: '1', status: 'absent', post: null } } });
    expect(absent.headers).toMatchObject({ 'x-request-cost': '5' });
  });

  it.each(['', 'id=', 'id=abc', 'id=12345678901234567890', 'id=-1', 'id=1e5'])(
    'refuses "%s"',
    async (query) => {
      const { status, body } = await program.get(`/v2/scrape/x/tweet?${query}`, key);
      expect(status).toBe(400);
      expect(body.error.details[0].path).toMatch(/^query/);
    },
  );
});

describe('scrapeXFollowers', () => {
  it('has every member once over its pages, and records one sweep', async () => {
    const listed = program.account(
      'x',
      (account) => isOpen(account) && account.followers > 45 && account.followers < 400,
    );
    const list = program.simulator.world.followers('x', listed.index, Date.UTC(2026, 9, 1));
    const seen: string[] = [];
    let cursor = '';
    let capped: boolean | null = null;
    for (;;) {
      const { status, body } = await program.get(
        `/v2/scrape/x/followers?handle=${listed.handle}&limit=40${cursor}`,
        key,
      );
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      ({ capped } = body.meta.account);
      if (body.meta.next_cursor === null) break;
      expect(capped).toBeNull();
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    expect(seen).toEqual(list.page(0, 100_000).map(({ id }) => id));
    expect(capped).toBe(seen.length < listed.followers);
    const events = await program.log.readStream(followsStream('x', listed.handle));
    const parts = events.map(
      ({ data }) => data as { sweep: string; page: number; done: boolean; source: string },
    );
    expect(new Set(parts.map(({ sweep }) => sweep)).size).toBe(1);
    expect(parts.map(({ page }) => page)).toEqual(parts.map((_, i) => i));
    expect(parts.map(({ done }) => done)).toEqual(parts.map((_, i) => i === parts.length - 1));
    expect(parts[0]?.source).toBe('live');
  });

  const listedAccount = () =>
    program.account('x', (account) => isOpen(account) && account.followers > 45 && account.followers < 400);
  const partsOf = async (handle: string) =>
    (await program.log.readStream(followsStream('x', handle))).map(({ data }) => data as FollowsData);
  /** The members that whole sweeps have, which end the edges of all others. */
  const wholeSweeps = (parts: readonly FollowsData[]) => {
    const ended = parts.filter(({ done }) => done).map(({ sweep }) => sweep);
    return ended
      .map((id) => parts.filter(({ sweep }) => sweep === id))
      .filter((own) => own.every(({ page }, i) => page === i))
      .map((own) => own.reduce((sum, { members }) => sum + members.length, 0));
  };

  it('loses no member to a caller who reads a page again with another limit', async () => {
    const { index, handle, followers } = listedAccount();
    const total = program.simulator.world.followers('x', index, Date.UTC(2026, 9, 1)).page(0, 100_000).length;
    const page = async (limit: number, cursor: string | null) => {
      const query = `handle=${handle}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { status, body } = await program.get(`/v2/scrape/x/followers?${query}`, key);
      expect(status).toBe(200);
      return body;
    };
    const first = await page(20, null);
    const second = first.meta.next_cursor as string;
    await page(1, second);
    // The same cursor in larger portions, to the end of the list.
    for (let cursor: string | null = second; cursor !== null; ) {
      cursor = (await page(40, cursor)).meta.next_cursor;
    }
    for (const members of wholeSweeps(await partsOf(handle))) expect(members).toBe(total);
    expect(followers).toBeGreaterThan(45);
  });

  it('trusts of a cursor only what the log confirms, even if the sealing secret was stolen', async () => {
    const { cursors } = program.services;
    const target = listedAccount();
    const other = program.account('x', (account) => isOpen(account) && account.index !== target.index);
    const path = `/v2/scrape/x/followers?handle=${target.handle}&limit=20`;
    const first = await program.get(path, key);
    const scope = cursorScope('scrapeXFollowers', { handle: target.handle });
    const made = cursors.decode(scope, first.body.meta.next_cursor);
    const [account, upstream, session, skip, count, sweep, part, listed] = made;
    const account2 = { ...JSON.parse(String(account)), id: other.id };
    const forged = [
      // The list of another account, a sweep that there is not, and a part beyond those that there are.
      [JSON.stringify(account2), upstream, session, skip, count, sweep, part, listed],
      [account, upstream, session, skip, count, randomUUID(), part, listed],
      [account, upstream, session, skip, count, sweep, 9, listed],
    ] as CursorPosition[];
    const before = await partsOf(target.handle);
    const asked = program.simulator.requests.x.total;
    for (const position of forged) {
      const { body } = await program.get(`${path}&cursor=${cursors.encode(scope, position)}`, key);
      expect(body.error?.code).toBe('cursor_invalid');
    }
    expect(program.simulator.requests.x.total).toBe(asked);
    expect(await partsOf(target.handle)).toEqual(before);
    expect((await program.get(`${path}&cursor=${first.body.meta.next_cursor}`, key)).status).toBe(200);
  });

  it('shows what X shows of each member', async () => {
    const { body } = await program.get(`/v2/scrape/x/followers?handle=${open.handle}&limit=5`, key);
    expect(body.data[0]).toMatchObject({ id: expect.any(String), handle: expect.any(String) });
    expect(body.data[0].followers).toEqual(expect.any(Number));
  });
});

describe('an account in a scrape request', () => {
  it('is named by its id as the catalog shows it, in every operation that takes a handle', async () => {
    await program.get(`/v2/scrape/x/user?handle=${open.handle}`, key);
    await program.project();
    const shown = { platform: 'x', id: open.id, handle: open.handle, status: 'active' };
    for (const ref of [`id:${open.id}`, open.id, `@${open.handle}`]) {
      expect((await program.get(`/v2/scrape/x/user?handle=${ref}`, key)).body.data).toMatchObject(shown);
      for (const list of ['tweets', 'followers']) {
        const { body } = await program.get(`/v2/scrape/x/${list}?handle=${ref}&limit=5`, key);
        expect(body.meta?.account, `${list} of ${ref}`).toMatchObject(shown);
      }
      const { body } = await program.post('/v2/scrape/x/users', { handles: [ref] }, key);
      expect(body.data.items, ref).toMatchObject([{ status: 'ok', account: shown }]);
      const live = await program.get(`/v2/accounts/x/${ref}/live`, key);
      expect(live.body.data, ref).toMatchObject({ handle: open.handle, exists: true });
      const owned = await program.get(`/v2/scrape/x/verify?handle=${ref}`, key);
      expect(owned.body.data, ref).toMatchObject({ id: open.id, handle: open.handle });
    }
    const sweeps = await program.log.readStream(followsStream('x', open.handle));
    expect(sweeps.length).toBeGreaterThan(2);
  });

  it('is read as a handle if it is unknown and may be either', async () => {
    const { body } = await program.get('/v2/accounts/x/90817263541/live', key);
    expect(body.data).toMatchObject({ handle: '90817263541', exists: false });
  });

  it.each([
    ['user?handle=id:nobody', 'query.handle', /a handle is/],
    ['user?handle=not-a-handle', 'query.handle', /a handle is/],
    ['tweets?handle=id:nobody', 'query.handle', /a handle is/],
    ['user?id=abc', 'query.id', /up to 20 digits/],
    ['user?id=0', 'query.id', /up to 20 digits/],
    ['user?id=1&handle=a', 'query', /exactly one/],
  ])('is refused as %s, and the answer says what is expected', async (path, where, expected) => {
    const { status, body } = await program.get(`/v2/scrape/x/${path}`, key);
    expect([status, body.error.details[0].path]).toEqual([400, where]);
    expect(body.error.details[0].message).toMatch(expected);
  });
});

describe('hostile input to a scrape request', () => {
  it.each([
    ['ten thousand handles', { handles: Array.from({ length: 10_000 }, (_, i) => `h${i}`) }],
    ['deep JSON', `{"handles":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['deep objects', `{"handles":[],"a":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`],
    ['a prototype', '{"__proto__":{"handles":["nasa"]}}'],
    ['fields that are not asked for', { handles: ['nasa'], platform: 'x' }],
    ['a number too large', '{"handles":[1e999]}'],
    ['no JSON', '{"handles":'],
    ['nothing', ''],
    ['a megabyte', { handles: ['x'.repeat(1_000_000)] }],
  ])('%s in a batch is a documented error with details, and free', async (_, body) => {
    const { status, body: answer, headers } = await program.post('/v2/scrape/x/users', body, key);
    expect([400, 413]).toContain(status);
    expect(['invalid_request', 'body_too_large']).toContain(answer.error.code);
    expect(answer.error.details.length).toBeGreaterThan(0);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it.each([
    ['NUL', JSON.stringify({ handles: ['na\u0000sa'] })],
    ['half a surrogate', '{"handles":["\\ud800"]}'],
    ['nothing', '{"handles":[""]}'],
    ['too much', JSON.stringify({ handles: ['x'.repeat(2_000)] })],
  ])('a handle of %s fails its item alone, and is free', async (_, body) => {
    const { status, body: answer, headers } = await program.post('/v2/scrape/x/users', body, key);
    expect([status, answer.data.items[0]]).toMatchObject([
      200,
      { status: 'unknown', account: null, error: { code: 'invalid_request' } },
    ]);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it.each([
    'nаsa',
    'ｎasa',
    'n​asa',
    'nasa‮',
    '../../etc/passwd',
    'nasa/../x',
    'nasa?x=1',
    'https://x.com/nasa',
    '{{7*7}}',
    "' or 1=1--",
    '%00',
  ])('the look-alike or injection %j is no handle, and nothing is read', async (handle) => {
    const before = program.simulator.requests.x.total;
    for (const path of ['user', 'tweets', 'followers', 'verify']) {
      const url = `/v2/scrape/x/${path}?handle=${encodeURIComponent(handle)}`;
      const { status, body } = await program.get(url, key);
      expect([url, status]).toEqual([url, 400]);
      expect(body.error.details[0].path).toBe('query.handle');
    }
    expect(program.simulator.requests.x.total).toBe(before);
  });
});
