import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { type Plan, plansOf, publishedPlans } from '../../src/write/holders/plans.ts';
import { faultCount } from '../support/faults.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;

beforeAll(async () => {
  // Nothing is refused for being one of many.
  const [plan] = publishedPlans('A').all.slice(-1) as [Plan];
  program = await createTestProgram({
    plans: plansOf('test', [{ ...plan, requests_per_minute: 1_000_000 }]),
  });
  key = await program.issueKey();
  await program.append('x', 'ann', sighted('ann', '2026-11-01T00:00:00.000Z'));
  await program.append('x', 'ben', sighted('ben', '2026-11-02T00:00:00.000Z'));
  await program.project();
});

afterAll(() => program.close());

const DIGITS = '1'.repeat(100);

/** Times that are of the form or nearly so, and are none that every store takes. */
const TIMES = [
  '2026-11-21T08:00:00+16:00',
  '2026-11-21T08:00:00-16:00',
  '2026-11-21T08:00:00+23:59',
  '2026-11-21T08:00:00-23:59',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-01:00',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  `2026-11-21T08:00:00.${DIGITS}Z`,
  `2026-11-21T08:00:00.${'0'.repeat(6_000)}Z`,
  '2026-11-21T08:00Z',
  '2026-11-21T08:00:60Z',
  '2026-11-21T24:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-11-21T08:00:00',
  'infinity',
  '-infinity',
  'now',
  'epoch',
  '294277-01-01T00:00:00Z',
];

const NUMBERS = [
  '-1',
  '-0',
  '1e3',
  '1e999',
  '0x10',
  '9007199254740992',
  '9999999999999999',
  DIGITS,
  'NaN',
  '٣',
];

/** As they stand in an address. */
const TEXTS = [
  '',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%ED%B0%80a',
  '%FF',
  '%EF%BF%BF',
  '%F4%8F%BF%BF',
  '%E2%80%AE',
  'a'.repeat(100),
  'a'.repeat(5_000),
  '%CC%81'.repeat(100),
  '%F0%9F%98%80'.repeat(50),
  '%EF%B7%BA'.repeat(100),
  '%C4%B0'.repeat(100),
  '%25%5C_%27%22%3B',
  "'%20or%201=1--",
  '%5C'.repeat(100),
  '!%26%7C()%3A*',
  '__proto__',
  '..',
  '%2e%2e%2f',
  'id:',
  'id:%00',
  'did:plc:%00',
  'company:%00',
  '@',
  '1'.repeat(20),
  'x:%00',
  'x:ann%00',
  'https://x.com/%00',
  'https://x.com/%2500',
  'https://x.com/%25ED%25A0%2580',
  'https://t.me/%25',
  'http://[::1',
];

/** Of so many values, each part of a request is given one: another part the next. */
const STEP = faultCount(1, 8);

const VALUES = [...TEXTS, ...NUMBERS, ...TIMES.map(encodeURIComponent)];

/** What may come of any request of one who has asked for little. */
const mayBe = (status: number) => status === 200 || (status >= 400 && status < 500 && status !== 429);

let parts = 0;
/** The values that the next part of a request is given. */
const someValues = (): readonly string[] => {
  const first = parts++;
  return VALUES.filter((_, n) => (n + first) % STEP === 0);
};

const failing = async (requests: readonly string[]): Promise<readonly string[]> => {
  const failed: string[] = [];
  for (const url of requests) {
    const { status } = await program.get(url, key);
    if (!mayBe(status)) failed.push(`${status} ${url.slice(0, 200)}`);
  }
  return failed;
};

describe('hostile input', () => {
  it('causes no failure of ours in any query parameter', { tags: 'faults' }, async () => {
    const requests: string[] = [];
    for (const endpoint of await loadEndpoints()) {
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(endpoint.example.params?.[name] ?? 'ann'),
      );
      // What waits for a platform is asked with what is refused before.
      if (endpoint.method !== 'GET' || endpoint.meter === 'live') continue;
      const shape = (endpoint.query as { shape?: object }).shape ?? {};
      const names = [...Object.keys(shape), ...(endpoint.list ? ['limit', 'cursor'] : []), 'unknown'];
      for (const name of names) {
        for (const value of someValues()) requests.push(`/v2${path}?${name}=${value}`);
        requests.push(`/v2${path}?${name}[]=1`, `/v2${path}?${name}=1&${name}=2`, `/v2${path}?${name}`);
      }
      for (const value of someValues()) requests.push(`/v2${path}?${value}=1`);
    }
    expect(requests.length).toBeGreaterThan(2_000 / STEP);
    expect(await failing(requests)).toEqual([]);
  });

  it('causes no failure of ours in any part of a path', { tags: 'faults' }, async () => {
    const requests: string[] = [];
    for (const endpoint of await loadEndpoints()) {
      if (endpoint.method !== 'GET' || endpoint.meter === 'live') continue;
      for (const name of Object.keys(endpoint.example.params ?? {})) {
        for (const platform of name === 'platform' ? ['x'] : ['x', 'bluesky', 'youtube', 'telegram']) {
          for (const value of someValues()) {
            const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, part) =>
              part === name ? value : part === 'platform' ? platform : 'ann',
            );
            requests.push(`/v2${path}`);
          }
        }
      }
    }
    expect(requests.length).toBeGreaterThan(1_000 / STEP);
    expect(await failing(requests)).toEqual([]);
  });

  it('causes no failure of ours in a body with odd strings, names or depth', async () => {
    const bodies = [
      '{"accounts":[{"platform":"x","handle":1e999}]}',
      '{"accounts":[{"platform":"x","handle":null}]}',
      '{"accounts":{"length":1}}',
      '{"accounts":[],"constructor":{"prototype":{}}}',
      '{"\\u0000":1}',
      '{"accounts":[null]}',
      '"\\ud800"',
      '1e999',
      '\u0000',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
      `{"accounts":[{"platform":"x","handle":"${'\\\\'.repeat(100_000)}"}]}`,
      `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`,
    ];
    for (const body of bodies) {
      const answer = await program.post('/v2/accounts/check', body, key);
      expect([answer.status, answer.body.error?.code], body.slice(0, 100)).toEqual([400, 'invalid_request']);
    }
  });

  it('in an item of a batch fails that item alone', async () => {
    const odd = [
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"%ED%A0%80"',
      '"did:plc:\\u0000"',
      '"id:\\u0000"',
      '""',
    ];
    for (const platform of PLATFORMS)
      for (const handle of odd) {
        const body = `{"accounts":[{"platform":"${platform}","handle":${handle}}]}`;
        const { status, body: answer } = await program.post('/v2/accounts/check', body, key);
        expect([status, answer.data?.items[0].error?.code], body).toEqual([200, 'invalid_request']);
      }
  });

  it('causes no failure of ours in any header', async () => {
    const odd = ['\u00ff'.repeat(300), '"', ',,,,', '*', 'W/', 'ü', '\t', ' ', 'a'.repeat(8_000), '\u0080'];
    const body = { accounts: [{ platform: 'x', handle: 'ann' }] };
    const names = [
      'idempotency-key',
      'if-none-match',
      'accept-encoding',
      'authorization',
      'x-forwarded-for',
      'content-type',
      'content-length',
      'accept',
      'expect',
      'accept-version',
    ];
    for (const name of names) {
      for (const value of odd) {
        const headers = { [name]: value };
        const posted = await program.post('/v2/accounts/check', body, key, headers);
        expect(mayBe(posted.status), `POST ${name}: ${value.slice(0, 20)} is ${posted.status}`).toBe(true);
        const got = await program.get('/v2/directory/x/ann', key, headers);
        expect(mayBe(got.status), `GET ${name}: ${value.slice(0, 20)} is ${got.status}`).toBe(true);
      }
    }
  });
});

describe('a time in the input', () => {
  const listed = async (since: string) => {
    const { status, body } = await program.get(
      `/v2/directory?sort=handle&seen_since=${encodeURIComponent(since)}`,
      key,
    );
    return status === 200 ? body.data.map((e: { handle: string }) => e.handle) : body.error.code;
  };

  it('is the instant that it names, whatever its offset and precision', async () => {
    expect(await listed('2026-11-01T16:30:00+16:00')).toEqual(['ben']);
    expect(await listed('2026-11-01T16:00:00+16:00')).toEqual(['ann', 'ben']);
    expect(await listed('2026-10-31T00:01:00-23:59')).toEqual(['ann', 'ben']);
    expect(await listed('2026-10-31T00:01:01-23:59')).toEqual(['ben']);
    expect(await listed(`2026-11-01T00:00:00.${'0'.repeat(40)}Z`)).toEqual(['ann', 'ben']);
    expect(await listed(`2026-11-01T00:00:00.${'1'.repeat(40)}Z`)).toEqual(['ben']);
    expect(await listed('2026-11-01T00:00:00.000001Z')).toEqual(['ben']);
  });

  it('has a year from 1 to 9999 in UTC', async () => {
    expect(await listed('0001-01-01T00:00:00Z')).toEqual(['ann', 'ben']);
    expect(await listed('9999-12-31T23:59:59.999Z')).toEqual([]);
    for (const since of [
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      `2026-11-01T00:00:00.${'1'.repeat(100)}Z`,
    ]) {
      expect(await listed(since), since).toBe('invalid_request');
    }
  });
});
