import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountEvent,
  type AccountState,
  decideSighting,
  evolve,
  noAccount,
  type Sighting,
} from '../../../src/write/accounts/account.ts';
import { type MovedPost, type Post, UNTAGGED } from '../../../src/write/accounts/post.ts';
import {
  type AgedField,
  emptyProfile,
  type Kept,
  MEASURABLE,
  type Measurable,
  type Profile,
} from '../../../src/write/accounts/profile.ts';
import { storyOf } from '../../support/given-when-then.ts';

const decider = { initial: noAccount, evolve };
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString();
const profile = (more: Partial<Profile> = {}): Profile => ({
  ...emptyProfile('ann'),
  followers: 10,
  bio: 'hi',
  ...more,
});
const post = (id: string, likes: number): Post => ({
  id,
  url: null,
  at: null,
  kind: 'original',
  media: null,
  text: 'x',
  ...UNTAGGED,
  likes,
  replies: null,
  reposts: null,
  quotes: null,
  views: null,
});

const posted = (minute: number, posts: Post[], moved: MovedPost[] = []): AccountEvent => ({
  type: 'PostsSighted',
  data: { ...read(minute), posts, moved, order: 'unknown', span: null },
});

const sees = (
  minute: number,
  more: Partial<Profile> = {},
  posts: readonly Post[] | null = null,
): Sighting => ({
  observedAt: at(minute),
  source: 'crawler',
  surface: 'page',
  found: { status: 'active', profile: profile(more), posts, measured: MEASURABLE },
});
const read = (minute: number) => ({ observed_at: at(minute), source: 'crawler' as const, surface: 'page' });
/** @param kept values that an earlier reading showed, by the minute of that one. */
const keeping = (kept: Readonly<Partial<Record<AgedField, number | null>>>) =>
  Object.keys(kept).length === 0
    ? {}
    : {
        kept: Object.fromEntries(
          Object.entries(kept).map(([field, minute]) => [field, minute === null ? null : at(minute)]),
        ) as Kept,
      };
const sighted = (minute: number, more: Partial<Profile> = {}, kept = {}): AccountEvent => ({
  type: 'AccountSighted',
  data: { ...read(minute), status: 'active', profile: profile(more), ...keeping(kept) },
});
const unchanged = (minute: number, moved = {}, kept = {}): AccountEvent => ({
  type: 'AccountUnchanged',
  data: { ...read(minute), moved, ...keeping(kept) },
});
const gone = (minute: number): AccountEvent => ({
  type: 'AccountUnavailable',
  data: { ...read(minute), status: 'suspended' },
});

const story = storyOf<AccountState, AccountEvent>(decider);
const see = (sighting: Sighting) => (state: AccountState) => decideSighting(state, sighting, 'x');

describe('a sighting', () => {
  it('of an account seen for the first time is recorded whole', () => {
    story
      .given()
      .when(see(sees(1)))
      .then(sighted(1));
  });

  it('that found the same is recorded as its time and what moved', () => {
    story
      .given(sighted(1))
      .when(see(sees(2)))
      .then(unchanged(2));
    story
      .given(sighted(1))
      .when(see(sees(2, { followers: 11 })))
      .then(unchanged(2, { followers: 11 }));
    story
      .given(sighted(1), unchanged(2, { followers: 11 }))
      .when(see(sees(3, { followers: 11 })))
      .then(unchanged(3));
    story
      .given(sighted(1))
      .when(see(sees(2, { followers: null, avatar_url: 'https://a/b?sig=2' })))
      .then(unchanged(2, { followers: null, avatar_url: 'https://a/b?sig=2' }));
  });

  it('that found changes is recorded whole', () => {
    story
      .given(sighted(1))
      .when(see(sees(2, { bio: 'new' })))
      .then(sighted(2, { bio: 'new' }));
    story
      .given(sighted(1))
      .when(see(sees(2, { links: ['https://a.example'] })))
      .then(sighted(2, { links: ['https://a.example'] }));
    story
      .given(sighted(1))
      .when(see(sees(2, { verified: true })))
      .then(sighted(2, { verified: true }));
    const hidden: Sighting = {
      ...sees(2),
      found: { status: 'private', profile: profile(), posts: null, measured: MEASURABLE },
    };
    const event: AccountEvent = {
      type: 'AccountSighted',
      data: { ...read(2), status: 'private', profile: profile() },
    };
    story.given(sighted(1)).when(see(hidden)).then(event);
  });

  it('of an account that was gone is recorded whole, even if it looks the same', () => {
    story
      .given(sighted(1), gone(2))
      .when(see(sees(3)))
      .then(sighted(3));
  });

  it('without the last whole reading is recorded whole', () => {
    story
      .given(unchanged(5, { followers: 3 }))
      .when(see(sees(6)))
      .then(sighted(6));
  });

  describe('of a surface that shows less', () => {
    const whole = {
      id: '7',
      bio: 'hi',
      location: 'Graz',
      links: ['https://a.example'],
      avatar_url: 'https://a/1',
    };
    const ofMinuteOne = { followers: 1, bio: 1, avatar_url: 1, location: 1, links: 1 };
    const partial = (
      minute: number,
      measured: readonly Measurable[],
      more: Partial<Profile> = {},
      status: 'active' | 'private' = 'active',
    ): Sighting => ({
      ...sees(minute),
      found: { status, profile: { ...emptyProfile('ann'), ...more }, posts: null, measured },
    });

    it('leaves what it did not measure', () => {
      story
        .given(sighted(1, whole))
        .when(see(partial(2, ['private'], { followers: 12 })))
        .then(unchanged(2, { followers: 12 }, { bio: 1, avatar_url: 1, location: 1, links: 1 }));
      story
        .given(sighted(1, whole))
        .when(see(partial(2, ['bio', 'links'], { followers: 10, bio: 'new' })))
        .then(sighted(2, { ...whole, bio: 'new', links: [] }, { avatar_url: 1, location: 1 }));
    });

    it('says how old each value is, however many readings did not show it', () => {
      const shownInTurn = [
        sighted(1, whole),
        unchanged(2, { followers: 12 }, { bio: 1, avatar_url: 1, location: 1, links: 1 }),
        unchanged(3, {}, { followers: 2, avatar_url: 1, location: 1, links: 1 }),
      ];
      story
        .given(...shownInTurn)
        .when(see(partial(4, ['private'])))
        .then(unchanged(4, {}, { followers: 2, bio: 3, avatar_url: 1, location: 1, links: 1 }));
      // Not even its status is known while it is gone: what is shown is of the reading before.
      story
        .given(...shownInTurn, gone(4))
        .when(see(partial(5, ['private'], { bio: 'hi' })))
        .then(
          sighted(5, { ...whole, followers: 12 }, { followers: 2, avatar_url: 1, location: 1, links: 1 }),
        );
      story
        .given(...shownInTurn)
        .when(see({ ...sees(4, { ...whole, followers: 12 }) }))
        .then(unchanged(4));
    });

    it('clears what it shows to be gone', () => {
      story
        .given(sighted(1, whole))
        .when(see(partial(2, ['bio', 'location', 'avatar_url', 'links'], { bio: '' })))
        .then(
          sighted(2, { ...whole, bio: '', location: null, avatar_url: null, links: [] }, { followers: 1 }),
        );
    });

    it('keeps an account private where it does not show privacy', () => {
      const hidden: AccountEvent = {
        type: 'AccountSighted',
        data: { ...read(1), status: 'private', profile: profile(whole) },
      };
      story
        .given(hidden)
        .when(see(partial(2, [])))
        .then(unchanged(2, {}, { ...ofMinuteOne, status: 1 }));
      story
        .given(hidden)
        .when(see(partial(2, ['private'])))
        .then(sighted(2, whole, ofMinuteOne));
      story
        .given(sighted(1, whole))
        .when(see(partial(2, ['private'], {}, 'private')))
        .then({
          type: 'AccountSighted',
          data: { ...read(2), status: 'private', profile: profile(whole), ...keeping(ofMinuteOne) },
        });
    });

    it('carries nothing over to another account of the same name', () => {
      const other = { ...emptyProfile('ann'), id: '8' };
      const taken: AccountEvent = {
        type: 'AccountSighted',
        data: { ...read(3), status: 'active', profile: other },
      };
      story
        .given(sighted(1, whole))
        .when(see(partial(3, [], { id: '8' })))
        .then(taken);
      const absent: AccountEvent = { type: 'AccountUnavailable', data: { ...read(2), status: 'absent' } };
      story
        .given(sighted(1, whole), absent)
        .when(see(partial(3, [], { followers: 1 })))
        .then({
          type: 'AccountSighted',
          data: { ...read(3), status: 'active', profile: { ...emptyProfile('ann'), followers: 1 } },
        });
      // A suspension ends with the same account.
      story
        .given(sighted(1, whole), gone(2))
        .when(see(partial(3, [])))
        .then(sighted(3, whole, ofMinuteOne));
    });

    it('leaves the figures of a post that it does not show', () => {
      const viewed = { ...post('a', 1), views: 70 };
      story
        .given(sighted(1), posted(1, [viewed]))
        .when(see(sees(2, {}, [post('a', 2)])))
        .then(unchanged(2), posted(2, [], [{ id: 'a', likes: 2 }]));
      story
        .given(sighted(1), posted(1, [viewed]))
        .when(see(sees(2, {}, [post('a', 1)])))
        .then(unchanged(2));
    });
  });

  it('that is not newer than what is known adds nothing', () => {
    story
      .given(sighted(5))
      .when(see(sees(4, { bio: 'old' })))
      .then();
    story
      .given(sighted(5))
      .when(see(sees(5, { bio: 'same time' })))
      .then();
    story
      .given(sighted(1), gone(5))
      .when(see(sees(4)))
      .then();
  });

  it('records exactly the posts that are new or whose figures moved', () => {
    story
      .given()
      .when(see(sees(1, {}, [post('a', 1)])))
      .then(sighted(1), posted(1, [post('a', 1)]));
    story
      .given(sighted(1), posted(1, [post('a', 1), post('b', 1)]))
      .when(see(sees(2, {}, [post('a', 1), post('b', 2), post('c', 0)])))
      .then(unchanged(2), posted(2, [post('c', 0)], [{ id: 'b', likes: 2 }]));
    story
      .given(sighted(1), posted(1, [post('a', 1)]))
      .when(see(sees(2, {}, [])))
      .then(unchanged(2));
  });

  it('folded from its events equals what was seen, whatever came before', () => {
    const sightings = fc.array(
      fc.record({
        minute: fc.integer({ min: 0, max: 59 }),
        followers: fc.option(fc.nat(5)),
        bio: fc.constantFrom('a', 'b', null),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(sightings, (list) => {
        let state = noAccount;
        let latest: Profile | null = null;
        let latestAt = '';
        for (const { minute, followers, bio } of list) {
          const events = decideSighting(state, sees(minute, { followers, bio }), 'x');
          state = events.reduce(evolve, state);
          if (at(minute) > latestAt) {
            latest = profile({ followers, bio });
            latestAt = at(minute);
          }
        }
        expect(state.seen?.profile ?? null).toEqual(latest);
      }),
    );
  });
});
