import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { openApiDocument } from '../../src/api/description/document.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { FIELD_NAMES, type Profile } from '../../src/write/accounts/profile.ts';
import { plansOf, SCOPES, type Scope } from '../../src/write/holders/plans.ts';
import { linkedinPage, linkedinPerson } from '../crawlers/platforms/samples.ts';
import { type Asked, ask, requestAbout } from '../support/asked-endpoints.ts';
import { offered, plainRecorder } from '../support/market.ts';
import { testPlan } from '../support/metering.ts';
import { createTestProgram, sighted, type TestProgram, type TestResponse } from '../support/program.ts';

const at = (day: number) => new Date(Date.UTC(2026, 9, day)).toISOString();

/** Neither the budget nor the rate of a plan ends the questions. */
const AMPLE = { units: 1_000_000, requests_per_minute: 1_000_000, live_per_minute: 1_000_000 };
const PLANS = plansOf('test', [
  testPlan('without', { ...AMPLE, scopes: SCOPES.filter((scope) => scope !== 'leads:read') }),
  testPlan('whole', { ...AMPLE, scopes: [...SCOPES] }),
]);

/** Two worlds that are one to a key without `leads:read`: only the contents of LinkedIn's pages differ. */
type World = 'first' | 'second';
const WORDS = { first: 'quetzalqore', second: 'vixenvortha' } as const;
const NUMBERS = { first: 7_312_911, second: 7_312_977 } as const;

/** A page with values that occur nowhere else, in every field of a profile. */
const contents = (world: World, n: number): Omit<Profile, 'id' | 'handle'> => ({
  display_name: `${WORDS[world]}${n} | Chief Surgeon`,
  followers: NUMBERS[world] + n,
  following: NUMBERS[world] + 100 + n,
  posts: NUMBERS[world] + 200 + n,
  verified: world === 'first',
  created_at: world === 'first' ? '2011-03-07T00:00:00.000Z' : '2012-04-08T00:00:00.000Z',
  bio: `${WORDS[world]}bio${n} https://x.com/answered`,
  avatar_url: `https://${WORDS[world]}.example/${n}.jpg`,
  location: `${WORDS[world]}place${n}`,
  links: ['https://x.com/answered', `https://${WORDS[world]}.example/${n}`],
  pronouns: `${WORDS[world]}pronoun${n}`,
});

const PEOPLE = ['lone-person', 'linked-person', 'claiming-person', 'company:planted'] as const;
/** The listing that an example names is one that there is. */
const SALE = { 'market.example:8812': 'market.example:sale' };
const ACCOUNTS = [
  ...PEOPLE.map((handle) => ({ platform: 'linkedin', handle, ids: SALE })),
  { platform: 'x', handle: 'answered' },
];

const page = (world: World): string =>
  linkedinPage([
    linkedinPerson({
      url: 'https://www.linkedin.com/in/lone-person',
      name: `${WORDS[world]}9`,
      description: `${WORDS[world]}bio9`,
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/FollowAction',
        name: 'Follows',
        userInteractionCount: NUMBERS[world] + 9,
      },
    }),
  ]);

const createWorld = async (world: World): Promise<TestProgram> => {
  const program = await createTestProgram({ plans: PLANS });
  for (const [n, handle] of PEOPLE.entries()) {
    const profile = contents(world, n);
    const links = handle === 'lone-person' ? [`https://${WORDS[world]}.example/${n}`] : profile.links;
    const bio = handle === 'lone-person' ? `${WORDS[world]}bio${n}` : profile.bio;
    await program.append('linkedin', handle, sighted(handle, at(1), { ...profile, links, bio }), {
      type: 'AccountUnchanged',
      data: {
        observed_at: at(9),
        source: 'crawler',
        surface: 'page',
        moved: {},
        // The values of one world are older.
        kept: world === 'first' ? { display_name: at(1), followers: at(1) } : {},
      },
    });
  }
  await program.append(
    'x',
    'answered',
    sighted('answered', at(2), {
      id: '77',
      display_name: 'Ann Swered',
      followers: 900,
      links: ['https://www.linkedin.com/in/linked-person'],
    }),
  );
  await plainRecorder(program.log).record([
    offered('sale', 3, { platform: 'linkedin', details: { handle: 'lone-person', followers: 5_000 } }),
  ]);
  await program.project();
  return program;
};

let endpoints: readonly Endpoint[];
let first: TestProgram;
let second: TestProgram;
beforeAll(async () => {
  endpoints = await loadEndpoints();
  [first, second] = await Promise.all([createWorld('first'), createWorld('second')]);
});
afterAll(() => Promise.all([first?.close(), second?.close()]));

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly enum?: readonly string[]; readonly type?: string };
}

/** Values that a parameter may be probed with for what is hidden. */
const probes = ({ name, schema: { enum: options, type } }: Parameter): readonly unknown[] => {
  if (options !== undefined) return options;
  if (name === 'limit') return [1];
  if (type === 'integer') return [NUMBERS.first, NUMBERS.second + 300];
  if (type === 'boolean') return ['true', 'false'];
  return [`${WORDS.first}0`, `${WORDS.first}1`, WORDS.second];
};

/** How many accounts are probed: the rest is asked for once. */
const PROBED = 2;

/** Requests of an endpoint: about each account, and with each parameter of its query set to each of its probes. */
const requestsOf = (endpoint: Endpoint, parameters: readonly Parameter[]): readonly Asked[] => {
  const { maxLimit } = endpoint;
  const basic = ACCOUNTS.map((account) => requestAbout(endpoint, account));
  const queried = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'cursor');
  const probed = basic
    .slice(0, PROBED)
    .flatMap((one) =>
      queried.flatMap((parameter) =>
        probes(parameter).map(
          (value): Asked => ({ ...one, query: { ...one.query, [parameter.name]: value } }),
        ),
      ),
    );
  const exported =
    maxLimit === undefined
      ? []
      : ['text/csv', 'application/x-ndjson'].flatMap((accept) => basic.map((one) => ({ ...one, accept })));
  return [...basic, ...probed, ...exported];
};

const allRequests = (): readonly (readonly [Endpoint, readonly Asked[]])[] => {
  const { paths } = openApiDocument(endpoints, PLANS) as unknown as {
    paths: Record<string, Record<string, { parameters?: readonly Parameter[] }>>;
  };
  return endpoints.map((endpoint) => [
    endpoint,
    requestsOf(endpoint, paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.parameters ?? []),
  ]);
};

/** The ages that an answer states, in seconds. */
const agesOf = ({ text }: { readonly text: string }): readonly number[] =>
  [...text.matchAll(/"(?:stale_s|age_s|cache_age_s)":(\d+)/g)].map(([, age]) => Number(age));

/** An answer without what differs between any two requests: their IDs, times and ages. A sealed cursor is compared by its length. */
const lasting = ({ text }: { readonly text: string }): string =>
  text
    .replaceAll(/"(next_cursor|resume_cursor)":"([^"]*)"/g, (_, name, cursor) => `"${name}":${cursor.length}`)
    .replaceAll(
      /"(?:request_id|generated_at|took_ms|stale_s|age_s|cache_age_s|projection_lag_s|code|expires_at)":(?:"[^"]*"|[\d.]+)|key_\w+/g,
      '',
    );

/** An answer, asked for again if a busy service had none: some endpoints never have one here. */
const answered = async (
  program: TestProgram,
  asked: Asked,
  key: string,
  tries = 3,
): ReturnType<typeof ask> => {
  const answer = await ask(program, asked, key);
  const isBusy = answer.text.includes('"service_unavailable"') && tries > 1;
  return isBusy ? answered(program, asked, key, tries - 1) : answer;
};

/** What was planted in either world. */
const PLANTED = new RegExp(
  `${WORDS.first}|${WORDS.second}|73129\\d\\d|73130\\d\\d|73131\\d\\d|2011-03-07|2012-04-08`,
);
/** Words of the request itself may be repeated, in links to further pages. */
const shown = ({ text, headers }: { readonly text: string; readonly headers: object }): string =>
  `${text} ${JSON.stringify({ ...headers, link: undefined })}`;

const keyOf = (program: TestProgram, scopes: readonly Scope[], plan = 'whole') =>
  program.issueKey(scopes, { holder: `holder-of-${plan}`, plan });

describe('what the pages of LinkedIn contain', () => {
  it('is in the fixture in every field of a profile, and shown with leads:read', async () => {
    expect(Object.keys(contents('first', 0)).toSorted()).toEqual([...FIELD_NAMES].toSorted());
    const key = await keyOf(first, SCOPES);
    const telling: string[] = [];
    for (const [{ operation, list }, requests] of allRequests())
      for (const request of list ? requests : requests.slice(0, ACCOUNTS.length)) {
        const answer = await ask(first, request, key);
        if (answer.status === 200 && PLANTED.test(answer.text)) telling.push(operation);
      }
    expect([...new Set(telling)].toSorted()).toEqual(
      expect.arrayContaining([
        'checkAccount',
        'checkAccounts',
        'getListing',
        'listListings',
        'lookupPerson',
        'resolveAccount',
        'searchPeople',
      ]),
    );
  });

  it.for([
    ['a key without the scope', SCOPES.filter((scope) => scope !== 'leads:read'), 'whole'],
    ['a plan without the scope', SCOPES, 'without'],
  ] as const)(
    'is in no answer of any endpoint, nor changes one, for %s',
    { timeout: 60_000 },
    async ([, scopes, plan]) => {
      const keys = [await keyOf(first, scopes, plan), await keyOf(second, scopes, plan)] as const;
      for (const [endpoint, requests] of allRequests())
        for (const request of plan === 'without' ? requests.slice(0, ACCOUNTS.length) : requests) {
          const [one, other] = await Promise.all([
            answered(first, request, keys[0]),
            answered(second, request, keys[1]),
          ]);
          const what = `${endpoint.operation} ${one.url} ${JSON.stringify(request.body ?? '')}`;
          const own = new RegExp(
            Object.values(request.query)
              .map((value) => String(value))
              .filter((value) => PLANTED.test(value))
              .join('|') || '(?!)',
            'g',
          );
          expect(shown(one).replaceAll(own, ''), what).not.toMatch(PLANTED);
          expect([other.status, lasting(other)], what).toEqual([one.status, lasting(one)]);
          for (const [i, age] of agesOf(one).entries())
            expect(Math.abs(age - (agesOf(other)[i] as number)), what).toBeLessThan(3_600);
          expect(one.status, what).not.toBe(429);
          // An age in seconds is part of what an ETag is of, and the two were asked one after the other.
          if (agesOf(one).join() === agesOf(other).join())
            expect(other.headers.etag, what).toBe(one.headers.etag);
        }
    },
  );

  it('is in no answer of a key that lacks the scope of the endpoint', async () => {
    for (const missing of SCOPES) {
      const key = await keyOf(
        first,
        SCOPES.filter((scope) => scope !== missing),
      );
      for (const [{ scope, operation }, requests] of allRequests().filter(([one]) => one.scope === missing))
        for (const request of requests.slice(0, ACCOUNTS.length)) {
          const answer = await ask(first, request, key);
          expect([answer.status, PLANTED.test(shown(answer))], `${operation} without ${scope}`).toEqual([
            403,
            false,
          ]);
        }
    }
  });

  it('is hidden in a live reading too, which the catalog keeps', async () => {
    first.outside.set('https://www.linkedin.com/in/lone-person', { body: page('first') });
    const live = async (scopes: readonly Scope[]): Promise<TestResponse> =>
      first.get('/v2/accounts/linkedin/lone-person/live', await keyOf(first, scopes));
    const hidden = await live(['accounts:live']);
    expect([hidden.status, hidden.body.data.status, hidden.body.data.display_name]).toEqual([
      200,
      'active',
      null,
    ]);
    expect(JSON.stringify(hidden.body)).not.toMatch(PLANTED);
    expect((await live(['accounts:live', 'leads:read'])).body.data.display_name).toBe(`${WORDS.first}9`);
  });
});

describe('runValuation', () => {
  it('names the scope that an account of LinkedIn takes, since its price tells its followers', async () => {
    const key = await keyOf(first, ['tools:run']);
    for (const handle of ['lone-person', 'nobody-at-all']) {
      const { status, body } = await first.post('/v2/tools/valuation', { platform: 'linkedin', handle }, key);
      expect([status, body.error.code, body.error.details]).toEqual([
        403,
        'scope_missing',
        [{ path: 'scope', message: 'leads:read' }],
      ]);
    }
  });
});
