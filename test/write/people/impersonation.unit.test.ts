import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/kernel/platform.ts';
import {
  type Candidate,
  candidateOf,
  type IdentityFacts,
  type Target,
} from '../../../src/write/people/account.ts';
import {
  directionOf,
  impersonationLogOdds,
  isAcknowledged,
  isUnconfirmedCopy,
  MODEL_WEIGHTS,
  PART_NAMES,
  type Parts,
  partsOf,
  sameHandleElsewhere,
  THRESHOLDS,
  verdictOf,
  weightedParts,
} from '../../../src/write/people/impersonation.ts';

const account = (platform: Platform, handle: string, facts: Partial<IdentityFacts> = {}): Candidate =>
  candidateOf(
    { key: `${platform}:id:${handle}`, platform, handle },
    {
      displayName: 'Ada Lovelace 🌍',
      intro: 'writes about engines',
      picture: 'abcdefghijklmnopqrst',
      targets: ['youtube:adalovelace', 'page:ada.example'],
      isDisclaimed: false,
      decade: 4,
      verified: false,
      createdAt: null,
      ...facts,
    },
  );

const ADA = account('x', 'adalovelace');
const YOUTUBE = account('youtube', 'adalovelace', { targets: ['x:adalovelace'] });
const SUBJECT = { account: ADA, others: [YOUTUBE], former: ['x:ada_lovelace'] };
const STRANGER = { isSamePerson: false, isOtherPerson: false };
const partsFor = (suspect: Candidate, membership: Parameters<typeof partsOf>[2] = STRANGER): Parts =>
  partsOf(suspect, SUBJECT, membership);

describe('the parts of a suspect', () => {
  it('describe a copy: name as written, equal bio, picture and links, a handle of the same words', () => {
    const parts = partsFor(account('telegram', 'lovelace_ada77'));
    expect(parts).toMatchObject({
      name_as_written: 1,
      name_equal: 1,
      bio_equal: 1,
      picture_equal: 1,
      links_equal: 1,
      links_equal_to_accounts: 1,
      no_links: 0,
      links_missing: 0,
      handle_similar: 1,
      same_person: 0,
      size_apart: 0,
    });
    expect(verdictOf(impersonationLogOdds(parts))).toBe('likely');
  });

  it('distinguish a name as written from one of the same words', () => {
    expect(partsFor(account('telegram', 'a', { displayName: '✨ Ada Lovelace' }))).toMatchObject({
      name_as_written: 1,
    });
    expect(partsFor(account('telegram', 'a', { displayName: 'Lovelace, Ada' }))).toMatchObject({
      name_as_written: 0,
      name_equal: 1,
    });
    expect(partsFor(account('telegram', 'a', { displayName: 'Ada' }))).toMatchObject({
      name_equal: 0,
      name_compatible: 1,
    });
  });

  it('are of no account that the subject or its person links to, unless by a handle that it left', () => {
    const linking = { ...SUBJECT, others: [account('youtube', 'adalovelace', { targets: ['tiktok:ada9'] })] };
    const direct = { ...SUBJECT, account: account('x', 'adalovelace', { targets: ['tiktok:id:ada9'] }) };
    const own = account('tiktok', 'ada9', { targets: [] });
    expect([linking, direct, SUBJECT].map((subject) => isAcknowledged(own, subject))).toEqual([
      true,
      true,
      false,
    ]);
    const stale = {
      ...SUBJECT,
      others: [account('youtube', 'adalovelace', { targets: ['x:ada_lovelace'] })],
    };
    expect(isAcknowledged(account('x', 'ada_lovelace'), stale)).toBe(false);
  });

  it('speak against accounts of the same person', () => {
    const parts = partsFor(account('telegram', 'adalovelace', { targets: ['x:adalovelace'] }), {
      isSamePerson: true,
      isOtherPerson: false,
    });
    expect(parts).toMatchObject({ same_person: 1, handle_similar: 0 });
    expect(verdictOf(impersonationLogOdds(parts))).toBeNull();
  });

  it('count links that one of the two lacks, but not those to its own platform', () => {
    expect(partsFor(account('telegram', 'a', { targets: ['page:ada.example', 'tiktok:b'] }))).toMatchObject({
      links_equal: 0,
      links_missing: 1,
      links_of_its_own: 1,
    });
    // A profile on YouTube cannot link to YouTube, as far as the links of people go.
    expect(partsFor(account('youtube', 'a', { targets: ['page:ada.example'] }))).toMatchObject({
      links_equal: 1,
      links_equal_to_accounts: 0,
      links_missing: 0,
      person_on_platform: 1,
    });
    expect(
      partsOf(
        account('telegram', 'a', { targets: [] }),
        { ...SUBJECT, account: account('x', 'b', { targets: [] }) },
        STRANGER,
      ),
    ).toMatchObject({ no_links: 1, links_equal: 0 });
  });

  it('leave out the suspect’s links to the subject’s platform, which the subject cannot have', () => {
    const copy = account('telegram', 'a', { targets: [...ADA.targets, 'x:adalovelace', 'x:babbage'] });
    expect(partsFor(copy)).toMatchObject({
      links_equal: 1,
      links_equal_to_accounts: 1,
      links_missing: 0,
      links_of_its_own: 0,
    });
    const bare = { ...SUBJECT, account: account('x', 'b', { targets: [] }) };
    const fan = account('telegram', 'a', { targets: ['x:b'] });
    expect(partsOf(fan, bare, STRANGER)).toMatchObject({ no_links: 1, links_equal: 0, links_of_its_own: 0 });
  });

  it.each([
    ['lacks one', ['page:ada.example'], 1, 0],
    ['has one more', ['youtube:adalovelace', 'page:ada.example', 'tiktok:b'], 0, 1],
    ['has none', [], 2, 0],
  ])('say that links are not equal where the suspect %s', (_, targets, missing, own) => {
    expect(partsFor(account('telegram', 'a', { targets }))).toMatchObject({
      no_links: 0,
      links_equal: 0,
      links_equal_to_accounts: 0,
      links_missing: missing,
      links_of_its_own: own,
    });
  });

  it.each([
    ['lovelace_ada77', 'Ada Lovelace', 1],
    ['ada_1815', 'Ada Lovelace', 0],
    ['lovelace1815', 'Ada Lovelace', 0],
    ['king_of_ada', 'Ada King Lovelace', 1],
    ['ada_lovelace', 'Ada King Lovelace', 0],
    ['ada_1815', 'Ada', 0],
    ['ada_lovelace', null, 0],
  ])('say whether the handle %s is made of the name %s: %i', (handle, displayName, similar) => {
    // Nothing of the subject's own handle is in these.
    const subject = { ...SUBJECT, account: account('x', 'countess', { displayName }) };
    expect(partsOf(account('telegram', handle), subject, STRANGER)).toMatchObject({
      handle_similar: similar,
    });
  });

  it('know whether the person has another account on the platform, without counting the suspect', () => {
    const isThere = (suspect: Candidate, targets: readonly string[], others: readonly Candidate[]) =>
      partsOf(suspect, { ...SUBJECT, account: account('x', 'adalovelace', { targets }), others }, STRANGER)
        .person_on_platform;
    const suspect = account('tiktok', 'ada9', { targets: [] });
    const other = account('tiktok', 'ada_elsewhere', { targets: [] });
    const linking = account('youtube', 'adalovelace', { targets: ['tiktok:ada9'] });
    expect(isThere(suspect, [], [])).toBe(0);
    expect(isThere(suspect, ['tiktok:ada9'], [])).toBe(0);
    expect(isThere(suspect, ['tiktok:id:ada9'], [linking])).toBe(0);
    expect(isThere(suspect, ['tiktok:ada10'], [])).toBe(1);
    expect(isThere(suspect, [], [account('youtube', 'adalovelace', { targets: ['tiktok:ada10'] })])).toBe(1);
    expect(isThere(suspect, [], [suspect])).toBe(0);
    expect(isThere(suspect, [], [suspect, other])).toBe(1);
    // An account of the subject's own platform says nothing.
    expect(isThere(account('x', 'ada9'), [], [])).toBe(0);
  });

  it('know a handle that the subject left, whose new holder shows links of that time', () => {
    const taker = partsFor(account('x', 'ada_lovelace', { targets: ['page:old.example'] }));
    expect(taker).toMatchObject({
      former_handle: 1,
      same_platform: 1,
      links_missing: null,
      links_of_its_own: null,
    });
    expect(verdictOf(impersonationLogOdds(taker))).not.toBeNull();
    expect(partsFor(account('telegram', 'ada_lovelace')).former_handle).toBe(0);
  });

  it('are unknown where an account does not show them', () => {
    const parts = partsFor(
      account('telegram', 'a', { displayName: null, intro: null, picture: null, decade: null }),
      null,
    );
    expect(parts).toMatchObject({
      name_as_written: null,
      name_equal: null,
      bio_equal: null,
      picture_equal: null,
      same_person: null,
      other_person: null,
      size_apart: null,
    });
    for (const { value, weight } of weightedParts(parts)) if (value === null) expect(weight).toBe(0);
  });

  it('say that an account calls itself a parody, and how far sizes are apart', () => {
    const parts = partsFor(account('telegram', 'lovelace_ada77', { isDisclaimed: true, decade: 0 }));
    expect(parts).toMatchObject({ disclaimer: 1, size_apart: 3 });
    expect(impersonationLogOdds(parts)).toBeLessThan(impersonationLogOdds({ ...parts, disclaimer: 0 }) - 3);
  });

  it.each([
    [4, 0],
    [6, 2],
    [2, 2],
    [7, 3],
    [0, 3],
  ])('count a difference in size alike in both directions: 10^%i', (decade, apart) => {
    expect(partsFor(account('telegram', 'a', { decade })).size_apart).toBe(apart);
  });
});

describe('the log odds of a suspect', () => {
  it('are the weighted sum of the shown values', () => {
    const parts = partsFor(account('telegram', 'lovelace_ada77'));
    const shown = weightedParts(parts);
    const sum = shown.reduce((total, { value, weight }) => total + (value ?? 0) * weight, 0);
    expect(sum).toBeCloseTo(impersonationLogOdds(parts), 9);
    expect(shown.every(({ value }) => value !== 0)).toBe(true);
    expect(MODEL_WEIGHTS).toHaveLength(1 + PART_NAMES.length);
  });

  it('name a suspect from a threshold on', () => {
    expect(verdictOf(THRESHOLDS.likely)).toBe('likely');
    expect(verdictOf(THRESHOLDS.likely - 0.01)).toBe('possible');
    expect(verdictOf(THRESHOLDS.possible)).toBe('possible');
    expect(verdictOf(THRESHOLDS.possible - 0.01)).toBeNull();
  });
});

describe('which of two copies the other', () => {
  const facts = fc.record({
    platform: fc.constantFrom<Platform>('x', 'telegram'),
    decade: fc.constantFrom(null, 2, 5),
    verified: fc.constantFrom(null, true, false),
    createdAt: fc.constantFrom(null, '2012-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'),
    hasOthers: fc.boolean(),
    hasLeft: fc.boolean(),
  });

  it('is said of both alike, whichever of the two is asked about', () => {
    fc.assert(
      fc.property(facts, facts, (one, other) => {
        const [a, b] = [account(one.platform, 'ada1', one), account(other.platform, 'ada2', other)];
        const of = (
          [suspect, isOtherPerson, left]: readonly [Candidate, boolean, readonly Target[]],
          [subject, hasOthers, former]: readonly [Candidate, boolean, readonly Target[]],
        ) =>
          directionOf(
            suspect,
            { account: subject, others: hasOthers ? [YOUTUBE] : [], former },
            { isSamePerson: false, isOtherPerson },
            left,
          );
        // An account leaves names on its own platform.
        const left = (has: boolean, target: Target) =>
          has && one.platform === other.platform ? [target] : [];
        const [first, second] = [
          [a, one.hasOthers, left(one.hasLeft, `${other.platform}:ada2`)],
          [b, other.hasOthers, left(other.hasLeft, `${one.platform}:ada1`)],
        ] as const;
        const forwards = of(first, second);
        const backwards = of(second, first);
        const OPPOSITE = { copies: 'is_copied', is_copied: 'copies', unknown: 'unknown' } as const;
        expect(backwards).toBe(OPPOSITE[forwards]);
      }),
    );
  });

  it.each([
    ['who has a handle that the other left', account('x', 'ada_lovelace', { verified: true }), 'copies'],
    ['who is not verified', account('telegram', 'ada'), 'copies'],
    ['who is verified', account('telegram', 'ada', { verified: true, decade: 1 }), 'is_copied'],
  ])('is %s', (_, suspect, direction) => {
    const subject = suspect.verified === true ? ADA : { ...ADA, verified: true };
    expect(directionOf(suspect, { ...SUBJECT, account: subject }, STRANGER, [])).toBe(direction);
  });
});

describe('an unconfirmed copy', () => {
  const copy = (facts: Partial<IdentityFacts> = {}, handle = 'adalovelace') =>
    account('tiktok', handle, { targets: ['x:adalovelace'], ...facts });

  it('links to the account or its person, and shows its name with its handle, bio or picture', () => {
    expect(isUnconfirmedCopy(copy(), SUBJECT, STRANGER)).toBe(true);
    expect(isUnconfirmedCopy(copy({ targets: ['youtube:adalovelace'] }), SUBJECT, STRANGER)).toBe(true);
    for (const other of [
      copy({ targets: ['page:ada.example'] }),
      copy({ displayName: 'Charles Babbage' }),
      copy({ isDisclaimed: true }),
      copy({ intro: 'another', picture: null }, 'engines_1815'),
    ])
      expect(isUnconfirmedCopy(other, SUBJECT, STRANGER)).toBe(false);
    expect(isUnconfirmedCopy(copy(), SUBJECT, { ...STRANGER, isSamePerson: true })).toBe(false);
  });
});

describe('accounts with the same handle elsewhere', () => {
  it('are looked up on the directory’s other platforms, on Bluesky with its common domain', () => {
    const found = sameHandleElsewhere('x', 'ada').map(({ platform, handle }) => `${platform}:${handle}`);
    expect(found.toSorted()).toEqual([
      'bluesky:ada.bsky.social',
      'instagram:ada',
      'telegram:ada',
      'tiktok:ada',
      'youtube:ada',
    ]);
    expect(sameHandleElsewhere('bluesky', 'ada.bsky.social')).toContainEqual({
      platform: 'x',
      handle: 'ada',
    });
    expect(sameHandleElsewhere('bluesky', 'did:plc:abcdefghijklmnopqrstuvwx')).toEqual([]);
  });
});
