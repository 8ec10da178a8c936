import { describe, expect, it } from 'vitest';
import type { LiveReader } from '../../../src/crawlers/live-read/reader.ts';
import { checkVisibility } from '../../../src/crawlers/live-read/visibility-checks.ts';
import { emptyProfile } from '../../../src/write/accounts/reading.ts';

const CALL = { holder: 'tester', requestId: 'req_1', untilMs: Number.MAX_SAFE_INTEGER };
const ADDRESS = { kind: 'handle', handle: 'star' } as const;

type Live = Pick<LiveReader, 'read' | 'readPosts' | 'readListing'>;

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
    readListing: async () => ({ reading: answers.shift(), observedAtMs: 0 }),
  }) as unknown as Live;

const unread = { status: 'unknown', reason: 'layout_changed', detail: 'no list' };

describe('a check of visibility', () => {
  it('fails with the platform if no answer could be understood, so that it costs nothing', async () => {
    await expect(checkVisibility(readerOf(unread, unread), 'x', ADDRESS, CALL)).rejects.toMatchObject({
      code: 'platform_layout_changed',
    });
  });

  it('asks once more for what could not be understood, and keeps what could', async () => {
    const shown = { status: 'present', accounts: ['1'] };
    const { looks } = await checkVisibility(readerOf(unread, shown), 'x', ADDRESS, CALL);
    expect(looks).toMatchObject([{ surface: 'suggestions', shown: 'shown' }]);
  });
});
