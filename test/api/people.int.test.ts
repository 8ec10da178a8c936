import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../src/kernel/platform.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;
let leadsKey: string;

const at = (day: number) => new Date(Date.UTC(2026, 9, day)).toISOString();

interface Account {
  readonly platform: string;
  readonly handle: string | null;
  readonly followers: number | null;
  readonly confidence: number | null;
  readonly log_odds: number | null;
  readonly evidence: readonly { readonly kind: string; readonly weight: number }[];
}

interface Person {
  readonly person_id: string;
  readonly display_name: string | null;
  readonly accounts: readonly Account[];
  readonly confidence: number | null;
  readonly merged_into: string | null;
}

const get = async <Data>(
  path: string,
  as = key,
): Promise<{ status: number; data: Data; next: string | null }> => {
  const { status, body } = await program.get(`/v2/people/${path}`, as);
  return { status, data: body.data, next: body.meta?.next_cursor ?? null };
};
const lookup = async (query: string, as?: string) => (await get<Person>(`lookup?${query}`, as)).data;
const handlesOf = (person: Person) =>
  person.accounts.map(({ platform, handle }) => `${platform} ${handle}`).toSorted();

const NAMED = { display_name: 'Nora Quill Hess' };
const LINKS = ['https://www.instagram.com/noraquill77/', 'https://www.linkedin.com/in/nora-quill'];

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey(['people:read']);
  leadsKey = await program.issueKey(['people:read', 'leads:read']);
  await program.append(
    'x',
    'noraquill77',
    sighted('noraquill77', at(1), {
      ...NAMED,
      id: '77',
      followers: 900,
      links: LINKS,
    }),
  );
  await program.append(
    'instagram',
    'noraquill77',
    sighted('noraquill77', at(1), {
      ...NAMED,
      id: '770',
      followers: 5_000,
      links: ['https://x.com/noraquill77'],
    }),
  );
  await program.append(
    'linkedin',
    'nora-quill',
    sighted('nora-quill', at(1), {
      display_name: 'Nora Quill Hess | Chief Surgeon at Acme',
      followers: 7_000_000,
      bio: 'https://x.com/noraquill77 and https://www.instagram.com/noraquill77/',
    }),
  );
  // A namesake whom no link connects, and one who is on LinkedIn alone.
  await program.append('bluesky', 'nora.test', sighted('nora.test', at(1), { ...NAMED, followers: 3 }));
  await program.append(
    'linkedin',
    'nora-alone',
    sighted('nora-alone', at(1), { display_name: 'Nora Alone', followers: 9 }),
  );
  for (let n = 0; n < 12; n++)
    await program.append(
      'tiktok',
      `crowd${n}`,
      sighted(`crowd${n}`, at(1), { display_name: `Vera Crowd${n}`, followers: 10 * n * n }),
    );
  await program.project();
});
afterAll(() => program.close());

describe('lookupPerson', () => {
  it('answers the accounts that links hold together, whichever is asked for', async () => {
    const person = await lookup('platform=x&handle=@NoraQuill77');
    expect(handlesOf(person).slice(0, 1)).toEqual(['instagram noraquill77']);
    expect(handlesOf(person)).toContain('x noraquill77');
    expect(person.display_name).toBe('Nora Quill Hess');
    for (const query of [
      'url=https://www.instagram.com/noraquill77',
      'platform=instagram&handle=id:770',
      `person_id=${person.person_id}`,
    ])
      expect((await lookup(query)).person_id, query).toBe(person.person_id);
  });

  it('shows evidence whose weights add up to the log odds of the confidence', async () => {
    const { accounts, confidence } = await lookup('url=x:noraquill77');
    for (const account of accounts) {
      const sum = account.evidence.reduce((total, { weight }) => total + weight, 0);
      expect(sum).toBeCloseTo(account.log_odds as number, 6);
      expect(account.confidence).toBeCloseTo(1 / (1 + Math.exp(-sum)), 3);
    }
    expect(confidence).toBe(Math.min(...accounts.map((account) => account.confidence as number)));
    const kinds = accounts.flatMap(({ evidence }) => evidence.map(({ kind }) => kind));
    expect(kinds).toContain('mutual_link');
  });

  it('never merges accounts by equal names alone', async () => {
    const person = await lookup('platform=bluesky&handle=nora.test');
    expect(handlesOf(person)).toEqual(['bluesky nora.test']);
    expect(person.confidence).toBeNull();
  });

  it('leaves out accounts below min_confidence, except the requested one', async () => {
    const person = await lookup('platform=x&handle=noraquill77&min_confidence=1');
    expect(handlesOf(person)).toEqual(['x noraquill77']);
  });

  it('keeps the account requested by handle or ID, whatever min_confidence is', async () => {
    await program.append(
      'x',
      'noraquill_now',
      sighted('noraquill_now', at(2), {
        ...NAMED,
        id: '77',
        followers: 900,
        links: LINKS,
      }),
    );
    await program.project();
    const renamed = await lookup('platform=x&handle=noraquill_now&min_confidence=1');
    expect(renamed.accounts).toMatchObject([{ platform: 'x', id: '77' }]);
    const { person_id } = renamed;
    for (const id of [person_id, person_id.toUpperCase()]) {
      const person = await lookup(`person_id=${id}&min_confidence=1`);
      expect(person, id).toMatchObject({ person_id, merged_into: null });
      expect(person.accounts, id).toHaveLength(1);
    }
    await program.append(
      'x',
      'noraquill77',
      sighted('noraquill77', at(3), {
        ...NAMED,
        id: '77',
        followers: 900,
        links: LINKS,
      }),
    );
    await program.project();
  });

  it('shows of LinkedIn that an account exists and its address, and more with leads:read only', async () => {
    const [without, within] = [
      await lookup('url=linkedin:nora-quill'),
      await lookup('url=linkedin:nora-quill', leadsKey),
    ];
    const of = (person: Person) => person.accounts.find(({ platform }) => platform === 'linkedin');
    expect(of(without)).toMatchObject({ handle: 'nora-quill', followers: null, verified: null });
    expect(of(within)).toMatchObject({ handle: 'nora-quill', followers: 7_000_000 });
    expect(JSON.stringify(without)).not.toContain('Surgeon');
    const alone = await lookup('url=linkedin:nora-alone');
    expect(alone).toMatchObject({
      display_name: null,
      accounts: [{ handle: 'nora-alone', followers: null }],
    });
    expect(await lookup('url=linkedin:nora-alone', leadsKey)).toMatchObject({ display_name: 'Nora Alone' });
  });

  it('shows nothing of a LinkedIn account’s size, in order or evidence', async () => {
    const person = await lookup('url=linkedin:nora-quill');
    expect(handlesOf(person)).toContain('linkedin nora-quill');
    expect(person.accounts.map(({ platform }) => platform).at(-1)).toBe('linkedin');
    const evidence = person.accounts.flatMap((account) => account.evidence.map(({ kind }) => kind));
    expect(evidence).not.toContain('size');
  });

  it('answers what became of the ID of a person merged into another', async () => {
    const links = (from: string) => ({ display_name: 'Ivan Marsh', links: [from] });
    await program.append(
      'youtube',
      'ivanmarsh9',
      sighted('ivanmarsh9', at(1), { display_name: 'Ivan Marsh' }),
    );
    await program.append(
      'telegram',
      'ivanmarsh9',
      sighted('ivanmarsh9', at(1), { display_name: 'Ivan Marsh' }),
    );
    await program.project();
    const [one, other] = [await lookup('url=youtube:ivanmarsh9'), await lookup('url=telegram:ivanmarsh9')];
    expect(one.person_id).not.toBe(other.person_id);
    await program.append(
      'youtube',
      'ivanmarsh9',
      sighted('ivanmarsh9', at(2), links('https://t.me/ivanmarsh9')),
    );
    await program.append(
      'telegram',
      'ivanmarsh9',
      sighted('ivanmarsh9', at(2), links('https://www.youtube.com/@ivanmarsh9')),
    );
    await program.project();
    const both = await lookup('url=youtube:ivanmarsh9');
    expect(handlesOf(both)).toEqual(['telegram ivanmarsh9', 'youtube ivanmarsh9']);
    const former = [one, other].filter(({ person_id }) => person_id !== both.person_id);
    expect(former).toHaveLength(1);
    expect(await lookup(`person_id=${former[0]?.person_id}`)).toMatchObject({
      person_id: both.person_id,
      merged_into: both.person_id,
    });
    expect(await lookup(`person_id=${both.person_id}`)).toMatchObject({ merged_into: null });
    // Apart again: each ID is that of its own account.
    await program.append(
      'youtube',
      'ivanmarsh9',
      sighted('ivanmarsh9', at(3), { display_name: 'Ivan Marsh' }),
    );
    await program.append(
      'telegram',
      'ivanmarsh9',
      sighted('ivanmarsh9', at(3), { display_name: 'Ivan Marsh' }),
    );
    await program.project();
    for (const { person_id } of [one, other])
      expect(await lookup(`person_id=${person_id}`)).toMatchObject({ person_id, merged_into: null });
  });

  it('refuses a request that names no account', async () => {
    for (const query of [
      '',
      'platform=x',
      'handle=nasa',
      'url=x:nasa&person_id=0b7c3b65-3c0e-5d8f-9a54-2f6d1f0f6b1e',
      'url=x:nasa&min_confidence=2',
    ])
      expect((await get(`lookup?${query}`)).status, query).toBe(400);
    expect((await get('lookup?url=x:nobody_here')).status).toBe(404);
    expect((await get('lookup?person_id=0b7c3b65-3c0e-4d8f-9a54-2f6d1f0f6b1e')).status).toBe(404);
  });
});

let punctuated = 0;

describe('claims of a person', () => {
  interface Claims {
    readonly total: number | null;
    readonly accounts: readonly {
      readonly platform: string;
      readonly handle: string;
      readonly followers: number | null;
      readonly verified: boolean | null;
      readonly evidence: readonly { readonly kind: string; readonly from: object; readonly to: object }[];
    }[];
  }
  type Claimed = Person & { readonly claims: { readonly received: Claims; readonly made: Claims } };
  const claimed = async (query: string, as?: string) => (await get<Claimed>(`lookup?${query}`, as)).data;
  const handles = ({ accounts }: Claims) => accounts.map(({ platform, handle }) => `${platform} ${handle}`);
  const ADA = { display_name: 'Ada Byron Noel', bio: 'Writes about engines' };
  const [X, INSTAGRAM] = ['https://x.com/adabyronnoel', 'https://www.instagram.com/adabyronnoel/'];

  beforeAll(async () => {
    const put = (platform: Platform, handle: string, profile: object) =>
      program.append(platform, handle, sighted(handle, at(1), { ...ADA, ...profile }));
    await put('x', 'adabyronnoel', { links: [INSTAGRAM, 'https://t.me/engine_news'], followers: 900 });
    await put('instagram', 'adabyronnoel', { links: [X], followers: 800 });
    await put('telegram', 'engine_news', { display_name: 'Engine news', bio: 'All of it' });
    await put('tiktok', 'adabyronnoel', { links: [X, INSTAGRAM], followers: 5, verified: true });
    await put('youtube', 'worst_of_engines', { display_name: 'Ada is a fraud', bio: 'Lies', links: [X] });
    await put('linkedin', 'ada-byron', { links: [], bio: `${X} and more`, followers: 70, verified: true });
    await program.project();
  });

  it('keep who copies handle, name and bio and links to all accounts out of the person', async () => {
    const person = await claimed('url=x:adabyronnoel');
    expect(handlesOf(person)).toEqual(['instagram adabyronnoel', 'x adabyronnoel']);
    const [copy] = person.claims.received.accounts;
    expect(copy).toMatchObject({ platform: 'tiktok', handle: 'adabyronnoel' });
    expect(copy).not.toHaveProperty('confidence');
    expect(copy?.evidence.map(({ kind }) => kind)).toEqual([
      'bio_link',
      'equal_name',
      'equal_handle',
      'equal_bio',
      'claimant_verified',
    ]);
    expect(copy?.evidence[0]).toMatchObject({ from: { platform: 'tiktok' }, to: { handle: 'adabyronnoel' } });
    expect(handlesOf(await claimed('url=tiktok:adabyronnoel'))).toEqual(['tiktok adabyronnoel']);
  });

  it('are made to accounts that the person links to, received under an agreeing name or handle only', async () => {
    const { claims } = await claimed('url=x:adabyronnoel');
    expect(handles(claims.made)).toEqual(['telegram engine_news']);
    expect(handles(claims.received).toSorted()).toEqual(['linkedin ada-byron', 'tiktok adabyronnoel']);
    expect(claims).toMatchObject({ made: { total: 1 }, received: { total: 2 } });
    const claimant = await claimed('url=tiktok:adabyronnoel');
    expect(handles(claimant.claims.made)).toEqual(['x adabyronnoel', 'instagram adabyronnoel']);
  });

  it('are made to who had the handle when the link appeared, and say whether it links back', async () => {
    const put = (handle: string, day: number, profile: object) =>
      program.append('instagram', handle, sighted(handle, at(day), profile));
    await put('grace.before', 1, { id: '901', display_name: 'Grace Former' });
    const links = ['https://www.instagram.com/grace.before/', 'https://www.instagram.com/ivan_other/'];
    await program.append('x', 'grace_x', sighted('grace_x', at(2), { display_name: 'Grace Xavier', links }));
    await put('grace.after', 3, { id: '901', display_name: 'Grace Former' });
    await put('grace.before', 4, { id: '902', display_name: 'Somebody Else' });
    await put('ivan_other', 4, { display_name: 'Ivan Other', links: ['https://x.com/grace_x'] });
    await program.project();
    const { made } = (await claimed('url=x:grace_x')).claims;
    const shown = made.accounts.map(({ handle, evidence }) => [handle, evidence[0]?.kind]);
    expect(shown.toSorted()).toEqual([
      ['grace.after', 'bio_link'],
      ['ivan_other', 'mutual_link'],
    ]);
  });

  it('show nothing of a LinkedIn page but that it exists, without leads:read', async () => {
    const of = async (as?: string) =>
      (await claimed('url=x:adabyronnoel', as)).claims.received.accounts.find(
        ({ platform }) => platform === 'linkedin',
      );
    const [without, within] = [await of(), await of(leadsKey)];
    expect(without).toMatchObject({ followers: null, verified: null });
    expect(without?.evidence.map(({ kind }) => kind)).not.toContain('claimant_verified');
    expect(within).toMatchObject({ followers: 70, verified: true });
  });

  it('are at most twenty, with their number, the verified and the large ones first and LinkedIn last', async () => {
    for (let n = 0; n < 25; n++)
      await program.append(
        'telegram',
        `ada_noel_${n}x`,
        sighted(`ada_noel_${n}x`, at(1), { ...ADA, links: [X], followers: n }),
      );
    await program.project();
    const { received } = (await claimed('url=x:adabyronnoel')).claims;
    expect([received.total, received.accounts.length]).toEqual([27, 20]);
    expect(handles(received).slice(0, 2)).toEqual(['tiktok adabyronnoel', 'telegram ada_noel_24x']);
  });

  it('are found among all who link to a star', async () => {
    const events = Array.from({ length: 230 }, (_, n) =>
      sighted(`a_fan_of_engines${n}`, at(1), { display_name: `Fan${n} Somebody`, links: [INSTAGRAM] }),
    );
    for (const [n, event] of events.entries())
      await program.append('telegram', `a_fan_of_engines${n}`, event);
    await program.project();
    const { received } = (await claimed('url=x:adabyronnoel')).claims;
    expect(received.total).toBe(27);
    expect(handles(received)[0]).toBe('tiktok adabyronnoel');
  });

  it('are in searches too', async () => {
    const { data } = await get<Claimed[]>('search?q=adabyronnoel&platform=instagram');
    expect(data[0]?.claims).toMatchObject({ received: { total: 27 }, made: { total: 1 } });
  });
});

describe('searchPeople', () => {
  it('finds persons by prefixes of words, largest account first, page by page', async () => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: Person[]; next: string | null } = await get<Person[]>(
        `search?q=ve%20crowd&limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.data.map(({ accounts }) => accounts[0]?.handle ?? ''));
      cursor = page.next;
    }
    expect(found).toHaveLength(12);
    expect(new Set(found).size).toBe(12);
    expect(found[0]).toBe('crowd11');
  });

  it('finds a person by each name and handle, and filters by platform and followers', async () => {
    const count = async (query: string, as?: string) =>
      (await get<Person[]>(`search?${query}`, as)).data.length;
    expect(await count('q=noraquill')).toBe(1);
    expect(await count('q=quill%20nora')).toBe(2);
    expect(await count('q=quill&platform=instagram')).toBe(1);
    expect(await count('q=quill&min_followers=5000')).toBe(1);
    expect(await count('q=quill&min_followers=5001')).toBe(0);
    expect(await count('q=quill&min_followers=5001', leadsKey)).toBe(0);
    expect(await count('q=uill')).toBe(0);
    expect(await count('q=%25')).toBe(0);
  });

  it('keeps a person’s largest account if all are below min_confidence', async () => {
    const { data } = await get<Person[]>('search?q=noraquill77&min_confidence=1');
    expect(data.map(handlesOf)).toEqual([['instagram noraquill77']]);
  });

  it.each([
    ['Zed O’Brien', 'o’brien'],
    ["Zed O'Connor", "o'connor zed"],
    ['Jean-Luc Zebra', 'Jean-Luc'],
    ['Zoe Q.', 'Zoe Q.'],
    ['Zed (Jones)', '(jones)'],
  ])('finds %s by %s', async (display_name, q) => {
    const handle = `punctuated${punctuated++}`;
    await program.append('tiktok', handle, sighted(handle, at(1), { display_name }));
    await program.project();
    const { data } = await get<Person[]>(`search?q=${encodeURIComponent(q)}`);
    expect(data.map((person) => person.display_name)).toContain(display_name);
  });

  it('finds handles by their whole prefix, even if it starts with no letter', async () => {
    await program.append('x', '___zig', sighted('___zig', at(1), { display_name: 'Ada' }));
    await program.project();
    const found = async (q: string) => (await get<Person[]>(`search?q=${q}`)).data.map(handlesOf);
    expect(await found('___')).toEqual([['x ___zig']]);
    expect(await found('---')).toEqual([]);
    expect(await found('nora.te')).toEqual([['bluesky nora.test']]);
  });

  it('lists people who are on LinkedIn alone, and finds words of their names, with leads:read only', async () => {
    const ids = async (as: string) => (await get<Person[]>('search?q=nora%20alone', as)).data.length;
    expect([await ids(key), await ids(leadsKey)]).toEqual([0, 1]);
    expect((await get<Person[]>('search?q=surgeon')).data).toEqual([]);
  });
});
