import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/kernel/errors.ts';
import {
  choosePlan,
  creditWallet,
  grantScopes,
  type HolderDecision,
  type HolderEvent,
  holderDecider,
  issueKey,
  keysInUse,
  pinKey,
  resumeHolder,
  revokeKey,
  rotateKey,
  setOverage,
  suspendHolder,
  ungrantScopes,
  unpinKey,
} from '../../../src/write/holders/holder.ts';
import { NAMED_ONLY, SCOPES } from '../../../src/write/holders/plans.ts';
import { at, chosen, hashOf, later, plans, registered } from './scenarios.ts';

interface Command {
  readonly name: string;
  readonly decide: HolderDecision;
}

const key = fc.integer({ min: 1, max: 8 }).map((n) => `key_${n}`);
const plan = fc.constantFrom(...plans.all.map(({ name }) => name));
const scopes = fc.subarray([...SCOPES], { minLength: 1 });
const command = (name: string, decide: fc.Arbitrary<HolderDecision>): fc.Arbitrary<Command> =>
  decide.map((one) => ({ name, decide: one }));

const anyCommand = fc.oneof(
  command(
    'plan',
    fc
      .tuple(plan, fc.boolean())
      .map(([to, revokeSurplus]) => choosePlan('acme', to, plans, at, { revokeSurplus })),
  ),
  command(
    'issue',
    fc
      .tuple(key, fc.oneof(fc.constant(null), scopes), fc.constantFrom(null, later, at))
      .map(([keyId, wanted, expiresAt]) =>
        issueKey('acme', { keyId, hash: hashOf(1), scopes: wanted, label: null, expiresAt }, plans, at),
      ),
  ),
  command(
    'rotate',
    fc.tuple(key, key).map(([old, next]) => rotateKey(old, { keyId: next, hash: hashOf(2) }, 1_000, at)),
  ),
  command(
    'revoke',
    key.map((keyId) => revokeKey(keyId, at)),
  ),
  command(
    'pin',
    key.map((keyId) => pinKey('acme', keyId, ['10.1.2.3/8'], plans, at)),
  ),
  command(
    'unpin',
    key.map((keyId) => unpinKey(keyId, at)),
  ),
  command(
    'grant',
    fc.tuple(key, scopes).map(([keyId, more]) => grantScopes('acme', keyId, more, plans, at)),
  ),
  command(
    'ungrant',
    fc.tuple(key, scopes).map(([keyId, less]) => ungrantScopes(keyId, less, at)),
  ),
  command('suspend', fc.constant(suspendHolder('acme', 'unpaid', at))),
  command('resume', fc.constant(resumeHolder('acme', at))),
  command(
    'overage',
    fc.boolean().map((on) => setOverage('acme', on ? { on, capMicroUsd: null } : { on: false }, plans, at)),
  ),
  command(
    'credit',
    fc
      .tuple(fc.bigInt(1n, 9n), fc.constantFrom('a', 'b', 'c'))
      .map(([amountMicroUsd, reference]) => creditWallet('acme', { amountMicroUsd, reference }, at)),
  ),
);

describe('any command to a holder', () => {
  it('is carried out once or refused, and breaks no promise', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 40, size: 'max' }), (commands) => {
        let state = [registered, chosen('growth')].reduce(holderDecider.evolve, holderDecider.initial);
        for (const { name, decide } of commands) {
          let events: readonly HolderEvent[] = [];
          try {
            events = decide(state);
          } catch (error) {
            expect(error).toBeInstanceOf(OperatorError);
            continue;
          }
          const next = events.reduce(holderDecider.evolve, state);
          expect(decide(next), `${name} again`).toEqual([]);
          const on = next.plan === null ? plans.default : plans.find(next.plan);
          expect(keysInUse(next, at).length, `keys after ${name}`).toBeLessThanOrEqual(on?.keys ?? 0);
          for (const [keyId, before] of state.keys) {
            const after = next.keys.get(keyId);
            if (before.revoked) expect(after, `${keyId} after ${name}`).toEqual(before);
            if (before.allowlist.length > 0 && name !== 'unpin')
              expect(after?.allowlist.length, `${keyId} is opened by ${name}`).toBeGreaterThan(0);
            if (before.expiresAt !== null)
              expect(after?.expiresAt, `${keyId} lives longer by ${name}`).toBe(before.expiresAt);
            if (name !== 'grant')
              expect(before.scopes, `${keyId} gains by ${name}`).toEqual(
                expect.arrayContaining([...(after?.scopes ?? [])]),
              );
            expect(after?.scopes.length, `${keyId} after ${name}`).toBeGreaterThan(0);
          }
          for (const event of events) {
            const isNew = event.type === 'KeyIssued' || event.type === 'ScopesGranted';
            if (!isNew || name === 'ungrant') continue;
            const had = state.keys.get(event.data.key_id)?.scopes ?? [];
            const gained = event.data.scopes.filter((scope) => !had.includes(scope));
            expect(on?.scopes, `scopes of ${name}`).toEqual(expect.arrayContaining(gained));
          }
          state = next;
        }
        expect(state.credited).toBe([...state.credits.values()].reduce((sum, one) => sum + BigInt(one), 0n));
      }),
      { numRuns: 500, seed: 5 },
    );
  });

  it('gives no key a scope that must be named without its name', () => {
    for (const { name } of plans.all) {
      const state = [registered, { type: 'PlanChosen', data: { at, plan: name } } as const].reduce(
        holderDecider.evolve,
        holderDecider.initial,
      );
      const [issued] = issueKey(
        'acme',
        { keyId: 'key_1', hash: hashOf(1), scopes: null, label: null, expiresAt: null },
        plans,
        at,
      )(state);
      if (issued?.type !== 'KeyIssued') throw new Error(`no key on ${name}`);
      expect(issued.data.scopes.filter((scope) => NAMED_ONLY.has(scope))).toEqual([]);
    }
  });
});
