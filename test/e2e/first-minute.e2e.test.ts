import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CurlLine,
  createTestHome,
  curlLines,
  type RunningProgram,
  sendLine,
  type TestHome,
} from '../support/cli.ts';
import { callEveryEndpoint } from '../support/every-endpoint.ts';
import { until } from '../support/wait.ts';

const LIMIT_MS = 600_000;

const PLAN = {
  name: 'small',
  price_usd: '0',
  units: 1_000_000,
  requests_per_minute: 1_000_000,
  live_per_minute: 1_000_000,
  keys: 5,
  overage_usd: null,
  weights: { catalog: 1, live: 10 },
  scopes: ['accounts:read', 'directory:read'],
  ip_allowlist: false,
};

interface Finding {
  readonly id: string;
  readonly summary: string;
}

/** The first answer but a 503: a busy machine may keep a list or a platform waiting, which says nothing of the data. */
const answerOf = async (line: CurlLine) => {
  const { url } = line;
  const response = await until(`${url} is answered in time`, async () => {
    const given = await sendLine(line);
    return given.status !== 503 && given;
  });
  const { data } = (await response.json()) as { data?: unknown };
  return { status: response.status, data };
};

describe('the first minutes of a demo', () => {
  let demo: TestHome;
  let program: RunningProgram;
  let lines: readonly CurlLine[];
  let key: string;
  let origin: string;
  beforeAll(async () => {
    demo = await createTestHome({ PORT: '0', OPERATIONS_PORT: '0' });
    program = demo.start(['demo']);
    await program.says(/API reference, where you can try every endpoint/, LIMIT_MS);
    lines = curlLines(program.out());
    key = lines[0]?.key ?? '';
    origin = new URL(lines[0]?.url ?? '').origin;
  });
  afterAll(() => demo.remove());

  it('answer every line of the welcome with data', async () => {
    // All at once, as early as possible: nothing may still be on its way.
    const answers = await Promise.all(lines.map(answerOf));
    expect(lines.map(({ url }) => new URL(url).pathname.replace('/v2/', ''))).toEqual([
      expect.stringMatching(/^accounts\/x\/\w+$/),
      'directory',
      'scrape/x/tweets',
      'marketplace/listings',
      'leads/linkedin/people',
      'leads/x/follower-graph',
      'people/lookup',
      expect.stringMatching(/^insights\/x\/\w+$/),
      'research/runs',
      'engines',
      'tools/account-age',
    ]);
    expect(answers.map(({ status }) => status)).toEqual(lines.map(() => 200));
    const [account, ...lists] = answers.map(({ data }) => data);
    expect(lists.pop()).toMatchObject({ platform: 'x', age_days: expect.any(Number) });
    expect(lists.splice(-2)).toEqual([
      expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]),
      expect.arrayContaining([expect.objectContaining({ key: 'x' })]),
    ]);
    expect(lists.pop()).toMatchObject({
      posts_sampled: expect.any(Number),
      median_views: expect.any(Number),
    });
    expect(lists.pop()).toMatchObject({
      accounts: expect.arrayContaining([expect.objectContaining({ platform: 'x' })]),
    });
    expect(account).toMatchObject({ platform: 'x', exists: true, status: 'active' });
    for (const [i, list] of lists.entries()) {
      expect(list, lines[i + 1]?.url).toBeInstanceOf(Array);
      expect((list as unknown[]).length, lines[i + 1]?.url).toBeGreaterThan(0);
    }
  });

  it('tell of a finding, which is in the list and can be read', async () => {
    const [, summary, url = ''] = await program.says(/found (.+): (\S+\/v2\/research\/findings)/, LIMIT_MS);
    const finding = await until('the finding is in the list', async () => {
      const { status, data } = await answerOf({ key, url, body: null });
      expect(status).toBe(200);
      return (data as readonly Finding[]).find((each) => each.summary === summary);
    });
    expect(await answerOf({ key, url: `${url}/${finding.id}`, body: null })).toEqual({
      status: 200,
      data: finding,
    });
  });

  it('answer every endpoint', async () => {
    const handle = new URL(lines[0]?.url ?? '').pathname.split('/').at(-1) ?? '';
    const listed = await until('two lists were read whole', () => {
      const lists = [...program.out().matchAll(/ list {2}x:(\w+) followers (\d+)\n/g)];
      const [one, other] = lists.flatMap(([, owner = '', members]) =>
        Number(members) < 2_000 ? [owner] : [],
      );
      return one !== undefined && other !== undefined && ([one, other] as const);
    });
    await callEveryEndpoint({ origin, key, handle, listed });
  });

  it('read an account that nobody has met because it is asked for', async () => {
    const unknown = `${origin}/v2/accounts/x/nobody_has_this`;
    const asked = await answerOf({ key, url: unknown, body: null });
    expect(asked.data).toMatchObject({ exists: null, status: 'unknown', queued: true });
    await until('the account is known', async () => {
      const { data } = await answerOf({ key, url: unknown, body: null });
      return (data as { readonly status: string }).status === 'absent';
    });
  });

  it('end cleanly', async () => {
    expect(await program.end('SIGINT')).toBe(0);
    expect(program.out()).toMatch(/Stopped\.\n$/);
  });
});

describe('the start of a demo', () => {
  let home: TestHome;
  beforeEach(async () => {
    home = await createTestHome({ PORT: '0', OPERATIONS_PORT: '0' });
  });
  afterEach(() => home.remove());

  it('logs its phases at debug, and reading continues after the welcome', async () => {
    const program = home.start(['demo', '--size', '150'], { LOG_LEVEL: 'debug', LOG_FORMAT: 'json' });
    await program.says(/API reference, where you can try every endpoint/, LIMIT_MS);
    const phases = [...program.err().matchAll(/"phase":"([^"]+)","ms":\d+,"at_ms":\d+/g)].map(
      ([, phase]) => phase,
    );
    expect(new Set(phases)).toEqual(
      new Set([
        'loading of the command',
        'loading of the roles',
        'simulator',
        'database',
        'migrations',
        'loading of the API and waiting for the database',
        'server',
        'API',
        'erasures',
        'older builds',
        'first builds of the read models',
        'start',
      ]),
    );
    // The rest of the crawl and of the follower lists.
    await program.says(/API reference[\s\S]+ read {2}x \d+ /, LIMIT_MS);
    await program.says(/API reference[\s\S]+ list {2}\w+:\S+ followers \d+\n/, LIMIT_MS);
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('leaves out lines that the plan does not include', async () => {
    const file = join(home.home, 'plans.json');
    await writeFile(file, JSON.stringify({ plans: [PLAN] }));
    const program = home.start(['demo', '--size', '150'], { PLANS_FILE: file });
    await program.says(/API reference, where you can try every endpoint/, LIMIT_MS);
    const lines = curlLines(program.out());
    expect(lines.map(({ url }) => new URL(url).pathname.split('/')[2])).toEqual(['accounts', 'directory']);
    for (const { status } of await Promise.all(lines.map(answerOf))) expect(status).toBe(200);
    expect(await program.end('SIGTERM')).toBe(0);
  });
});
