import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { readFollowers } from '../../src/read/insights/followers.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import { followsStream } from '../../src/write/follows.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import { ask, requestAbout } from '../support/asked-endpoints.ts';
import { createTestProgram, posted, sighted, type TestProgram, unavailable } from '../support/program.ts';

const SHY = 'shy.example';
const ID = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';
const CANARIES = [
  'biocanary',
  'oldcanary',
  'namecanary',
  'postcanary',
  'linkcanary',
  '70707',
  'before.example',
];

let program: TestProgram;
let key: string;

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const known = {
  id: ID,
  bio: 'biocanary',
  display_name: 'namecanary',
  links: ['https://linkcanary.example/'],
  followers: 70_707,
  verified: true,
};
/** What a reading shows of an account that asks not to be shown. */
const existence = { ...emptyProfile(SHY), display_name: null, followers: null, verified: null };

const canariesIn = (text: string): readonly string[] => CANARIES.filter((canary) => text.includes(canary));

const endpoints = await loadEndpoints();
let askers = 0;

/** Everything that endpoints answer about the account, and the feed from its beginning. */
const answers = async (): Promise<Readonly<Record<string, string>>> => {
  const found: Record<string, string> = {};
  // Of a holder of its own: what lists took before counts for none, however slow the machine is.
  const fresh = await program.issueKey(SCOPES, { holder: `asker-${askers++}` });
  for (const endpoint of endpoints) {
    const request = requestAbout(endpoint, { platform: 'bluesky', handle: SHY });
    const path = request.path.replace('/x/', '/bluesky/');
    const { status, text } = await ask(program, { ...request, path }, fresh);
    expect(status, text).not.toBe(429);
    found[endpoint.operation] = text;
  }
  const changes: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await program.get(
      `/v2/directory/changes?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      fresh,
    );
    changes.push(JSON.stringify(page.body.data));
    cursor = page.body.meta.next_cursor;
  }
  return { ...found, listDirectoryChanges: changes.join('') };
};

const leaks = async (): Promise<Readonly<Record<string, readonly string[]>>> =>
  Object.fromEntries(
    Object.entries(await answers()).flatMap(([operation, text]) => {
      // Who mirrors the directory has to apply renames.
      const found = canariesIn(
        operation === 'listDirectoryChanges' ? text.replaceAll('before.example', '') : text,
      );
      return found.length === 0 ? [] : [[operation, found]];
    }),
  );

/** What a comparison of its follower list with another one lacks. */
const lacking = async (): Promise<readonly string[]> => {
  const account = {
    platform: 'bluesky',
    handle: SHY,
    other: { platform: 'bluesky', handle: 'other.example' },
  };
  const { body } = await program.post('/v2/tools/audience-overlap', account, key);
  return (body.error?.details ?? []).map(({ path }: { readonly path: string }) => path);
};

/** Posts and followers that figures would be made of. */
const figured = async (): Promise<readonly [posts: number, followers: number]> => {
  const found = await program.services.entries.find({ platform: 'bluesky', by: 'handle', value: SHY });
  const { builds, digests } = program.services;
  const lists = program.services.queuedReads.of('tester', 100);
  const period = { from: ago(100), to: ago(0) };
  return [
    (await digests.of(found?.entry as never)).posts.length,
    (await readFollowers(lists, builds, found as never, period)).length,
  ];
};

/** A copy of the directory after all changes: its bio of the account. */
const mirrored = async (): Promise<unknown> => {
  const { body } = await program.get('/v2/directory/changes?platform=bluesky&limit=100', key);
  let bio: unknown;
  for (const { id, after } of body.data)
    if (id === ID && typeof after === 'object' && after !== null && 'bio' in after) bio = after.bio;
  return bio;
};

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey(SCOPES);
  await program.append(
    'bluesky',
    'before.example',
    sighted('before.example', ago(9), { ...known, bio: 'oldcanary' }),
  );
  await program.append(
    'bluesky',
    SHY,
    sighted(SHY, ago(8), { ...known, bio: 'oldcanary', followers: 7, verified: false }),
    sighted(SHY, ago(7), known),
    posted(
      ago(7),
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({
        id: `${n}`,
        at: ago(7 + n / 10),
        text: 'postcanary',
        likes: n,
      })),
    ),
  );
  for (const owner of [SHY, 'other.example']) {
    const id = owner === SHY ? ID : 'did:plc:bbbbbbbbbbbbbbbbbbbbbbbb';
    if (owner !== SHY)
      await program.append(
        'bluesky',
        owner,
        sighted(owner, ago(7), { ...known, id, bio: null, display_name: null, links: [], followers: 1 }),
      );
    const part = {
      observed_at: ago(6),
      source: 'crawler',
      surface: 'page',
      direction: 'followers',
      owner: id,
      sweep: uuidV7(Date.now()),
      page: 0,
      members: [{ id: 'did:plc:cccccccccccccccccccccccc', handle: 'fan.example' }],
      order: 'newest_first',
      done: true,
      capped: false,
    };
    await program.log.append(
      followsStream('bluesky', owner),
      [{ id: uuidV7(Date.now()), type: 'FollowsSighted', data: part }],
      'any',
    );
  }
  await program.project();
});
afterAll(() => program.close());

const append = async (...events: Parameters<TestProgram['append']>[2][]): Promise<void> => {
  await program.append('bluesky', SHY, ...events);
  await program.project();
};

describe('an account that asks not to be shown to strangers', () => {
  it('was shown by history, posts, changes and tools', async () => {
    expect(Object.keys(await leaks())).toEqual(
      expect.arrayContaining([
        'getDirectoryEntry',
        'listEntryHistory',
        'listEntryPosts',
        'listDirectoryChanges',
      ]),
    );
    expect(await lacking()).not.toEqual(['lists']);
    expect(await figured()).toEqual([8, 3]);
  });

  it.each([
    ['since its last reading', sighted(SHY, ago(5), existence)],
    ['while it is suspended', unavailable(ago(4), 'suspended')],
  ])('exists, and nothing that was known before is in any answer, %s', async (_, event) => {
    await append(event);
    expect(await leaks()).toEqual({});
    const { body } = await program.get(`/v2/directory/bluesky/${SHY}`, key);
    expect(body.data).toMatchObject({ handle: SHY, id: ID, bio: null, previous_handles: [] });
    for (const list of ['history', 'posts']) {
      const page = await program.get(`/v2/directory/bluesky/${SHY}/${list}`, key);
      expect(page.body).toMatchObject({ data: [], meta: { next_cursor: null } });
    }
    expect(await lacking()).toEqual(['lists']);
    expect(await figured()).toEqual([0, 0]);
    expect(await mirrored()).toBe(null);
  });

  it('is shown with all that was known once it does not ask for that any more', async () => {
    await append(sighted(SHY, ago(3), known));
    const shown = await leaks();
    expect(shown.listEntryHistory).toContain('70707');
    expect(shown.listEntryPosts).toEqual(['postcanary']);
    expect(shown.listDirectoryChanges).toEqual(expect.arrayContaining(['oldcanary', 'biocanary']));
    expect(await mirrored()).toBe('biocanary');
  });
});
