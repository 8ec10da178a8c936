import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountStream } from '../../src/write/accounts/account.ts';
import * as samples from '../crawlers/platforms/samples.ts';
import {
  createTestProgram,
  posted,
  sighted,
  type TestProgram,
  unavailable,
  unchanged,
} from '../support/program.ts';

const PLAIN = `UC${'p'.repeat(22)}`;
const NAMED_LATER = `UC${'n'.repeat(22)}`;
const GONE = `UC${'g'.repeat(22)}`;
const DID = `did:plc:${'d'.repeat(24)}`;

let program: TestProgram;
let key: string;

const daysAgo = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
  await program.append(
    'youtube',
    PLAIN,
    sighted(PLAIN, daysAgo(9), { id: PLAIN, display_name: 'Plain Channel', followers: 100 }),
    unchanged(daysAgo(8), { followers: 110 }),
    posted(daysAgo(8), { id: 'v1', text: 'A video' }),
    unavailable(daysAgo(7), 'suspended'),
    sighted(PLAIN, daysAgo(6), { id: PLAIN, display_name: 'Plain Channel', followers: 120 }),
  );
  await program.append(
    'youtube',
    NAMED_LATER,
    sighted(NAMED_LATER, daysAgo(9), { id: NAMED_LATER, display_name: 'Later' }),
  );
  await program.append('youtube', 'named', sighted('named', daysAgo(5), { id: NAMED_LATER }));
  // A late event of the stream that the channel has left changes nothing.
  await program.append('youtube', NAMED_LATER, unchanged(daysAgo(6), { followers: 7 }));
  await program.append(
    'youtube',
    GONE,
    sighted(GONE, daysAgo(9), { display_name: 'Gone' }),
    unavailable(daysAgo(3), 'absent'),
  );
  await program.append('youtube', 'zed', sighted('zed', daysAgo(3), { display_name: 'Plain Channel Too' }));
  await program.append('bluesky', 'alice.test', sighted('alice.test', daysAgo(9), { id: DID }));
  await program.append('bluesky', DID, sighted(DID, daysAgo(2), { id: DID, display_name: 'Alice' }));
  await program.project();
});

afterAll(() => program.close());

const data = async (path: string) => {
  const { status, body } = await program.get(`/v2/${path}`, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};

describe('an account without a handle', () => {
  it.each([
    ['its id', `accounts/youtube/${PLAIN}`],
    ['its named id', `accounts/youtube/id:${PLAIN}`],
    ['its address', `accounts/resolve?url=https://www.youtube.com/channel/${PLAIN}`],
  ])('is checked by %s, with a null handle', async (_, path) => {
    expect(await data(path)).toMatchObject({
      platform: 'youtube',
      handle: null,
      exists: true,
      followers: 120,
      profile_url: `https://www.youtube.com/channel/${PLAIN}`,
    });
  });

  it('is checked in a batch with the same answer', async () => {
    const accounts = [{ platform: 'youtube', handle: PLAIN }];
    const { body } = await program.post('/v2/accounts/check', { accounts }, key);
    expect(body.data.items[0]).toMatchObject({ handle: null, exists: true, followers: 120 });
  });

  it('has a complete directory entry, found by id and name but not by handle', async () => {
    const entry = await data(`directory/youtube/${PLAIN}`);
    expect(entry).toMatchObject({
      id: PLAIN,
      handle: null,
      followers: 120,
      status: 'active',
      previous_handles: [],
    });
    expect(entry.first_seen_at).toBe((await data(`accounts/youtube/${PLAIN}`)).first_seen_at);
    const found = await data('directory?q=plain channel&platform=youtube');
    expect(found.map((e: { id: string }) => e.id)).toContain(PLAIN);
    expect(await data('directory?q=uc')).toEqual([]);
    expect(await data(`directory?q=${PLAIN}`)).toEqual([]);
  });

  it('comes after accounts with a handle in a list sorted by handle', async () => {
    const handles: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await program.get(`/v2/directory/youtube?sort=handle&limit=1${cursor}`, key);
      handles.push(...body.data.map((entry: { handle: string | null }) => entry.handle));
      cursor = body.meta.next_cursor === null ? '' : `&cursor=${body.meta.next_cursor}`;
    } while (cursor !== '');
    expect(handles).toEqual(['named', 'zed', null, null]);
  });

  it('has a history, posts and look-alikes', async () => {
    const history = await data(`directory/youtube/${PLAIN}/history`);
    expect(
      history.map((point: { handle: null; followers: number }) => [point.handle, point.followers]),
    ).toEqual([
      [null, 120],
      [null, 110],
      [null, 100],
    ]);
    expect(await data(`directory/youtube/${PLAIN}/posts`)).toMatchObject([{ id: 'v1' }]);
    const similar = await data('directory/youtube/zed/similar');
    expect(similar).toMatchObject([
      { id: PLAIN, handle: null, reasons: expect.not.arrayContaining(['handle']) },
    ]);
  });

  it('is listed in the changes by its id, from its discovery to its handle', async () => {
    const changes = await data('directory/changes?platform=youtube&limit=100');
    const of = (id: string) =>
      changes
        .filter((change: { id: string }) => change.id === id)
        .map((c: Record<string, unknown>) => [c.kind, c.handle, c.before, c.after]);
    const unnamed = expect.objectContaining({ handle: null });
    expect(of(PLAIN)).toEqual([
      ['discovered', null, null, unnamed],
      ['suspended', null, 'active', 'suspended'],
      ['restored', null, 'suspended', 'active'],
    ]);
    expect(of(NAMED_LATER).slice(0, 2)).toEqual([
      ['discovered', null, null, unnamed],
      ['renamed', 'named', null, 'named'],
    ]);
  });

  it('keeps its entry when it gets a handle, and its id was never a handle', async () => {
    expect(await data('directory/youtube/named')).toMatchObject({
      id: NAMED_LATER,
      handle: 'named',
      followers: 100,
      previous_handles: [],
    });
  });

  it('is known by the name of its stream where no reading showed the id', async () => {
    expect(await data(`directory/youtube/${GONE}`)).toMatchObject({
      id: GONE,
      handle: null,
      status: 'absent',
    });
  });

  it('can be one whose Bluesky domain no longer resolves', async () => {
    expect(await data(`directory/bluesky/${DID}`)).toMatchObject({
      id: DID,
      handle: null,
      previous_handles: ['alice.test'],
    });
    expect(await data(`accounts/bluesky/${DID}`)).toMatchObject({ handle: null });
    const changes = await data('directory/changes?platform=bluesky&kind=renamed');
    expect(changes).toMatchObject([{ id: DID, handle: null, before: 'alice.test', after: null }]);
  });

  it('is read live under its page’s address, and keeps its stream', async () => {
    const bare = samples.youtubeData(['1.2K subscribers']);
    const page = JSON.stringify(bare).replaceAll('@Sample', '').replaceAll('http://www.youtube.com/', '');
    const url = `https://www.youtube.com/channel/${samples.CHANNEL}`;
    program.outside.set(`${url}?hl=en`, { body: samples.youtubePage(JSON.parse(page)) });
    const answer = await data(`accounts/youtube/${samples.CHANNEL}/live`);
    expect(answer).toMatchObject({ handle: null, exists: true, followers: 1_200, profile_url: url });
    const events = await program.log.readStream(accountStream('youtube', samples.CHANNEL));
    expect(events.map((event) => event.type)).toEqual(['AccountSighted']);
    await program.project();
    expect(await data(`accounts/youtube/${samples.CHANNEL}`)).toMatchObject({
      handle: null,
      followers: 1_200,
    });
    expect(await data(`accounts/youtube/${samples.CHANNEL}/live?max_age_s=3600`)).toMatchObject({
      handle: null,
    });
  });
});
