import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TRUST_RULES, type TrustFacts, type TrustRule, trustOf } from '../../src/analysis/account-scores.ts';
import { auditOf, type ListedFollower } from '../../src/analysis/audit/audit.ts';
import { CAUSED_BY_OTHERS } from '../../src/analysis/evidence.ts';
import { type Look, shadowbanVerdicts } from '../../src/analysis/shadowban.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const known = fc.record({
  isShown: fc.boolean(),
  suspicious: fc.option(
    fc.tuple(share, share).map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) })),
  ),
  blocks: fc.option(fc.record({ bought: fc.nat(3), undecided: fc.nat(3) })),
  age: fc.option(fc.record({ days: fc.nat(400), isLeast: fc.boolean() })),
  largerLookAlikes: fc.option(fc.nat(3)),
  score: fc.option(fc.nat(100)),
}) satisfies fc.Arbitrary<TrustFacts>;

/** Which fact a rule of the trust report rests on. */
const FACTS = {
  audience: 'suspicious',
  bought_followers: 'blocks',
  age: 'age',
  look_alike: 'largerLookAlikes',
  score: 'score',
} as const satisfies Record<TrustRule, keyof TrustFacts>;

it('no subset of what others can cause changes the verdict of a trust report', () => {
  const byOthers = TRUST_RULES.filter((rule) => CAUSED_BY_OTHERS['trust-report'][rule]);
  fc.assert(
    fc.property(known, known, fc.subarray(byOthers), (account, caused, rules) => {
      const changed = Object.fromEntries(rules.map((rule) => [FACTS[rule], caused[FACTS[rule]]]));
      const without = Object.fromEntries(byOthers.map((rule) => [FACTS[rule], null]));
      const { verdict } = trustOf({ ...account, ...changed });
      expect(verdict).toBe(trustOf({ ...account, ...without }).verdict);
    }),
    { seed: 47, numRuns: 1_000 },
  );
});

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 1);

it('a handful of followers that were created together is no cluster of an audience', () => {
  const follower = (createdMs: number): ListedFollower => ({
    createdMs,
    ageDays: (NOW - createdMs) / DAY_MS,
    followers: 120,
    following: 150,
    posts: 40,
    hasAvatar: true,
    hasBio: true,
  });
  const usual = (n: number) =>
    Array.from({ length: n }, (_, i) => follower(NOW - (400 + ((i * 37) % 2_000)) * DAY_MS));
  const bots = (n: number) =>
    Array.from({ length: n }, (_, i) => follower(NOW - 20 * DAY_MS + i * 3_600_000));
  for (const [audience, few, enough] of [
    [300, 5, 12],
    [300, 9, 12],
    [1_500, 25, 40],
  ] as const) {
    expect(auditOf([...bots(few), ...usual(audience)], null).clusters).toEqual([]);
    expect(auditOf([...bots(enough), ...usual(audience)], null).clusters).toHaveLength(1);
  }
});

it('no author of one thread decides whether an account is limited', () => {
  const shown = fc.constantFrom<Look['shown']>('hidden', 'absent');
  fc.assert(
    fc.property(fc.array(shown, { minLength: 1, maxLength: 6 }), (looks) => {
      // The reader of threads looks at one reply to each author.
      const [first] = looks.map(
        (one): Look => ({ surface: 'thread', of: 'account', shown: one, post: 'a', atMs: 0, reason: null }),
      );
      const control: Look = {
        surface: 'thread',
        of: 'control',
        shown: 'shown',
        post: 'c',
        atMs: 0,
        reason: null,
      };
      const { ghost, reply_deboost } = shadowbanVerdicts([first as Look, control]);
      expect([ghost, reply_deboost]).not.toContain('limited');
    }),
  );
});

it('each tool has a row of evidence, and no row is of another', async () => {
  const tools = (await loadEndpoints()).flatMap(({ tool }) => tool?.name ?? []);
  expect(Object.keys(CAUSED_BY_OTHERS).sort()).toEqual(tools.sort());
});
