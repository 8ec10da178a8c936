import { describe, expect, it } from 'vitest';
import type { LiveReader } from '../../../src/crawlers/live-read/port.ts';
import { checkVisibility } from '../../../src/crawlers/live-read/visibility-checks.ts';
import { ServiceError } from '../../../src/kernel/errors.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';

const CALL = { holder: 'tester', requestId: 'req_1', untilMs: Number.MAX_SAFE_INTEGER };
const ADDRESS = { kind: 'handle', handle: 'star' } as const;

type Live = Pick<LiveReader, 'read' | 'readPosts' | 'readListing' | 'clock'>;

const NOW = Date.UTC(2026, 9, 1);

/** An account without readable posts, whose surfaces answer in turn. */
const readerOf = (...answers: object[]): Live =>
  ({
    read: async () => ({
      reading: {
        status: 'present',
        profile: { ...emptyProfile('star'), id: '1', posts: 9 },
        posts: null,
        measured: [],
        surface: 'graphql',
        warnings: [],
      },
      observedAtMs: 0,
    }),
    readPosts: async () => ({ reading: { status: 'empty' }, observedAtMs: 0, session: null }),
    readListing: async () => {
      const reading = answers.shift();
      if (reading instanceof Error) throw reading;
      return { reading, observedAtMs: NOW };
    },
    clock: { now: () => NOW },
  }) as unknown as Live;

const unread = { status: 'unknown', reason: 'layout_changed', detail: 'no list' };

describe('a visibility check', () => {
  it('fails with the platform, free, if no answer could be understood', async () => {
    await expect(checkVisibility(readerOf(unread, unread), 'x', ADDRESS, CALL)).rejects.toMatchObject({
      code: 'platform_layout_changed',
    });
  });

  it('asks once more for what could not be understood, and keeps the rest', async () => {
    const shown = { status: 'present', accounts: ['1'] };
    const { looks } = await checkVisibility(readerOf(unread, shown), 'x', ADDRESS, CALL);
    expect(looks).toMatchObject([{ surface: 'suggestions', shown: 'shown' }]);
  });

  it('dates what could not be asked by the clock of its other readings', async () => {
    const late = new ServiceError('platform_timeout', 'The platform timed out.');
    const live = readerOf(late, late);
    const replied = {
      status: 'present',
      posts: [{ id: '7', kind: 'reply', reply_to: { account: 'other', post: '5' } }],
    };
    live.readPosts = (async () => ({
      reading: replied,
      observedAtMs: NOW,
      session: null,
    })) as unknown as Live['readPosts'];
    const page = { status: 'present', replies: [], hidden: null, cursor: 'next' };
    const answers = [{ status: 'present', posts: [{ author: '1' }] }, late, late, page, page, page];
    live.readListing = (async () => {
      const reading = answers.shift();
      if (reading instanceof Error) throw reading;
      return { reading, observedAtMs: NOW };
    }) as unknown as Live['readListing'];
    const { looks } = await checkVisibility(live, 'x', ADDRESS, CALL);
    expect(looks).toMatchObject([
      { surface: 'search', shown: 'shown', atMs: NOW },
      { surface: 'suggestions', reason: 'http_error', atMs: NOW },
      { surface: 'thread', reason: 'thread_too_long', atMs: NOW },
    ]);
  });

  it('looks at one reply to each author, so that one who hides replies decides nothing', async () => {
    const live = readerOf();
    const reply = (id: string, post: string, account: string) => ({
      id,
      kind: 'reply',
      reply_to: { account, post },
    });
    const replied = {
      status: 'present',
      posts: [reply('7', '5', 'one'), reply('8', '6', 'one'), reply('9', '4', 'two')],
    };
    live.readPosts = (async () => ({
      reading: replied,
      observedAtMs: NOW,
      session: null,
    })) as unknown as Live['readPosts'];
    const asked: string[] = [];
    const surfaces = {
      search: async () => ({ status: 'present', posts: [{ author: '1' }] }),
      suggestions: async () => ({ status: 'present', accounts: ['1'] }),
      thread: async (post: string) => {
        asked.push(post);
        return { status: 'present', replies: [], hidden: null, cursor: null };
      },
    };
    live.readListing = (async (
      _platform: unknown,
      _call: unknown,
      read: (adapter: object) => Promise<object>,
    ) => ({
      reading: await read({ visibility: surfaces }),
      observedAtMs: NOW,
    })) as unknown as Live['readListing'];
    const { looks } = await checkVisibility(live, 'x', ADDRESS, CALL);
    expect(new Set(asked)).toEqual(new Set(['5', '4']));
    expect(looks.filter(({ surface, of }) => surface === 'thread' && of === 'account')).toMatchObject([
      { post: '7', shown: 'absent' },
      { post: '9', shown: 'absent' },
    ]);
  });

  it('asks the search box for accounts that are no larger and have no better badge, the nearest first', async () => {
    const asked: string[] = [];
    const live = readerOf();
    const { reading, ...rest } = await live.read('x', ADDRESS, CALL);
    if (reading.status !== 'present') throw new Error('it is present');
    const profile = { ...reading.profile, followers: 100, verified: false };
    live.read = async () => ({ ...rest, reading: { ...reading, profile } });
    const post = (author: string, followers: number | null, verified: boolean | null) => ({
      id: author,
      author,
      handle: author,
      answers: '5',
      followers,
      verified,
    });
    const posts = [
      post('larger', 101, false),
      post('unknown', null, false),
      post('badge', 90, true),
      post('small', 10, false),
      post('near', 100, null),
      post('tiny', 1, false),
      post('next', 50, false),
    ];
    const surfaces = {
      search: async () => ({ status: 'present', posts }),
      suggestions: async (name: string) => {
        asked.push(name);
        return {
          status: 'present',
          accounts: posts.filter(({ author }) => author === name).map(({ author }) => author),
        };
      },
    };
    live.readListing = (async (
      _platform: unknown,
      _call: unknown,
      read: (adapter: object) => Promise<object>,
    ) => ({
      reading: await read({ visibility: surfaces }),
      observedAtMs: NOW,
    })) as unknown as Live['readListing'];
    await checkVisibility(live, 'x', ADDRESS, CALL);
    expect(asked).toEqual(['star', 'near', 'next', 'small', 'star', 'star']);
    // Two of a kind are too few.
    asked.length = 0;
    posts.length = 5;
    await checkVisibility(live, 'x', ADDRESS, CALL);
    expect(asked).toEqual(['star']);
  });

  it('fails for an account whose page shows no ID, which every surface needs', async () => {
    const live = readerOf();
    const { reading, ...rest } = await live.read('x', ADDRESS, CALL);
    if (reading.status !== 'present') throw new Error('it is present');
    live.read = async () => ({ ...rest, reading: { ...reading, profile: { ...reading.profile, id: null } } });
    await expect(checkVisibility(live, 'x', ADDRESS, CALL)).rejects.toMatchObject({
      code: 'platform_layout_changed',
    });
  });
});
