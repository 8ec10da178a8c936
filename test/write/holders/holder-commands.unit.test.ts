import { describe, expect, it } from 'vitest';
import {
  choosePlan,
  creditWallet,
  type HolderEvent,
  holderDecider,
  issueKey,
  registerHolder,
  setOverage,
} from '../../../src/write/holders/holder.ts';
import { plansOf } from '../../../src/write/holders/plans.ts';
import {
  at,
  chosen,
  given,
  hashOf,
  issued,
  later,
  pinned,
  plans,
  registered,
  revoked,
  rotated,
} from './scenarios.ts';

/** Micro-dollars: what a number holds exactly. */
const MAX = BigInt(Number.MAX_SAFE_INTEGER);
const surplus = { revokeSurplus: true };
const overage = (on: boolean, cap: string | null = null): HolderEvent => ({
  type: 'OverageSet',
  data: { at, on, cap_micro_usd: cap },
});
const credited = (amount: string, reference: string | null): HolderEvent => ({
  type: 'WalletCredited',
  data: { at, amount_micro_usd: amount, reference },
});

describe('a holder', () => {
  it('is registered once, optionally on a named plan', () => {
    const acme = { holder: 'acme', name: 'Acme' };
    given()
      .when(registerHolder(acme, plans, at))
      .then(registered);
    given()
      .when(registerHolder({ ...acme, plan: 'growth' }, plans, at))
      .then(registered, chosen('growth'));
    given(registered)
      .when(registerHolder({ ...acme, name: 'Other', plan: 'scale' }, plans, later))
      .then();
    given()
      .when(registerHolder({ ...acme, plan: 'gold' }, plans, at))
      .thenRefused(/no plan gold.*free, starter, growth, scale, enterprise/);
    given()
      .when(registerHolder({ ...acme, name: ' ' }, plans, at))
      .thenRefused(/^holder_invalid: A holder needs a name/);
  });

  it('that does not exist has no terms to change', () => {
    for (const decide of [
      choosePlan('acme', 'growth', plans, at),
      setOverage('acme', { on: false }, plans, at),
      setOverage('acme', { on: true, capMicroUsd: null }, plans, at),
      creditWallet('acme', { amountMicroUsd: 1n, reference: null }, at),
    ]) {
      given()
        .when(decide)
        .thenRefused(/^holder_unknown: .*"holder":"acme"/);
    }
  });
});

describe('a plan', () => {
  it('starts no new period if it is chosen again', () => {
    given(registered)
      .when(choosePlan('acme', 'growth', plans, at))
      .then(chosen('growth'));
    given(registered, chosen('growth'))
      .when(choosePlan('acme', 'growth', plans, later))
      .then();
    given(registered, chosen('growth'))
      .when(choosePlan('acme', 'starter', plans, later))
      .then(chosen('starter', later));
    given(registered)
      .when(choosePlan('acme', 'gold', plans, at))
      .thenRefused(/no plan gold.*growth/);
  });

  it('can be left when it is no longer active', () => {
    given(registered, chosen('gone'))
      .when(choosePlan('acme', 'growth', plans, at))
      .then(chosen('growth'));
  });

  it('with fewer keys than are in use is refused, naming the newest', () => {
    given(registered, chosen('growth'), issued(1), issued(2), issued(3))
      .when(choosePlan('acme', 'free', plans, at))
      .thenRefused(
        /^plan_key_limit: The plan free allows 1 keys in use, and acme has 3\..*"surplus":"key_3, key_2"/,
      );
  });

  it('revokes the newest surplus on request, in the same append', () => {
    given(registered, chosen('growth'), issued(1), issued(2), issued(3))
      .when(choosePlan('acme', 'free', plans, later, surplus))
      .then(chosen('free', later), revoked(3, later), revoked(2, later));
    // The successor of the oldest key is the newest.
    given(registered, chosen('growth'), issued(1), issued(2), rotated(1, 3))
      .when(choosePlan('acme', 'free', plans, later, surplus))
      .then(chosen('free', later), revoked(3, later));
  });

  it('does not count revoked or replaced keys', () => {
    given(registered, chosen('growth'), issued(1), revoked(1), issued(2), rotated(2, 3))
      .when(choosePlan('acme', 'free', plans, at))
      .then(chosen('free'));
    given(registered, chosen('growth'), issued(1))
      .when(choosePlan('acme', 'free', plans, at, surplus))
      .then(chosen('free'));
  });

  it('leaves pins and overage as they are', () => {
    given(registered, chosen('growth'), issued(1), pinned(1, '10.0.0.0/8'), overage(true))
      .when(choosePlan('acme', 'free', plans, at))
      .then(chosen('free'));
  });
});

describe('overage', () => {
  const on = (capMicroUsd: bigint | null) => setOverage('acme', { on: true, capMicroUsd }, plans, at);
  const off = setOverage('acme', { on: false }, plans, at);

  it('is turned on with or without a cap, and off', () => {
    given(registered, chosen('starter')).when(on(null)).then(overage(true));
    given(registered, chosen('starter')).when(on(5_000_000n)).then(overage(true, '5000000'));
    given(registered, chosen('starter'), overage(true, '5000000')).when(on(null)).then(overage(true));
    given(registered, chosen('starter'), overage(true, '5')).when(on(5n)).then();
    given(registered, chosen('starter'), overage(true, '5')).when(off).then(overage(false));
    given(registered, chosen('starter')).when(off).then();
  });

  it('is refused on a plan without it, where it can still be turned off', () => {
    given(registered)
      .when(on(null))
      .thenRefused(/^plan_without_overage: The plan free has no overage/);
    given(registered, chosen('starter'), overage(true), chosen('free')).when(off).then(overage(false));
    given(registered, chosen('starter'))
      .when(on(MAX))
      .then(overage(true, String(MAX)));
    given(registered, chosen('starter'))
      .when(on(MAX + 1n))
      .thenRefused(/at most 9007199254/);
    given(registered, chosen('starter'))
      .when(on(0n))
      .thenRefused(/^cap_invalid: A cap must be more than 0/);
    given(registered, chosen('gone'))
      .when(on(null))
      .thenRefused(/^plan_inactive: .*plan gone.*"holder":"acme"/);
  });
});

describe('the wallet', () => {
  const credit = (amountMicroUsd: bigint, reference: string | null) =>
    creditWallet('acme', { amountMicroUsd, reference }, at);

  it('is credited once per reference', () => {
    given(registered).when(credit(25_000_000n, 'inv-1')).then(credited('25000000', 'inv-1'));
    given(registered, credited('25000000', 'inv-1')).when(credit(25_000_000n, 'inv-1')).then();
    given(registered, credited('25000000', 'inv-1')).when(credit(5n, 'inv-2')).then(credited('5', 'inv-2'));
    given(registered, credited('25000000', 'inv-1'))
      .when(credit(30_000_000n, 'inv-1'))
      .thenRefused(/inv-1 was credited with 25\.00 dollars already/);
  });

  it('is credited each time without a reference', () => {
    const state = [registered, credited('5', null)].reduce(holderDecider.evolve, holderDecider.initial);
    expect(credit(5n, null)(state)).toEqual([credited('5', null)]);
  });

  it('is never credited zero or less', () => {
    for (const amount of [0n, -1n])
      given(registered)
        .when(credit(amount, null))
        .thenRefused(/more than 0/);
    given(registered)
      .when(credit(1n, ' '))
      .thenRefused(/^reference_invalid: /);
  });

  it('never holds more than can be counted exactly', () => {
    given(registered)
      .when(credit(MAX, 'inv-1'))
      .then(credited(String(MAX), 'inv-1'));
    given(registered)
      .when(credit(MAX + 1n, 'inv-1'))
      .thenRefused(/9007199254\.740991 dollars in total/);
    for (const before of [credited(String(MAX), null), credited(String(MAX), 'inv-1')])
      given(registered, before)
        .when(credit(1n, 'inv-2'))
        .thenRefused(/was credited 9007199254\.740991/);
  });
});

describe('a settled period', () => {
  it('is the last that the state knows, and changes no terms', () => {
    const settled: HolderEvent = {
      type: 'UsageSettled',
      data: {
        at: later,
        period: 3,
        plan: 'growth',
        started_at: at,
        ended_at: later,
        requests: 1,
        budget_units: 1,
        overage_units: 0,
        overage_micro_usd: '0',
        live_calls: 0,
      },
    };
    const before = [registered, chosen('growth'), issued(1)].reduce(
      holderDecider.evolve,
      holderDecider.initial,
    );
    expect(holderDecider.evolve(before, settled)).toEqual({ ...before, settledPeriod: 3 });
  });
});

describe('the lowest plan', () => {
  it('is a holder’s without a chosen one, whatever plans are active', () => {
    const scale = plans.find('scale');
    const own = plansOf('own', scale === null ? [] : [{ ...scale, name: 'only', keys: 1 }]);
    const key = { keyId: 'key_2', hash: hashOf(2), scopes: null, label: null, expiresAt: null };
    given(registered, issued(1))
      .when(issueKey('acme', key, own, at))
      .thenRefused(/plan only allows 1/);
  });
});
