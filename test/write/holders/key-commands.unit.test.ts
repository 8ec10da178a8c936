import { describe, it } from 'vitest';
import {
  grantScopes,
  type HolderEvent,
  issueKey,
  pinKey,
  revokeKey,
  rotateKey,
  ungrantScopes,
  unpinKey,
} from '../../../src/write/holders/holder.ts';
import { plansOf, type Scope } from '../../../src/write/holders/plans.ts';
import {
  at,
  chosen,
  given,
  granted,
  hashOf,
  issued,
  later,
  pinned,
  plans,
  registered,
  revoked,
  rotated,
} from './scenarios.ts';

const HOUR = 3_600_000;
const scopesOf = (name: string): Scope[] => [...(plans.find(name)?.scopes ?? [])];
const key = (n: number, scopes: readonly Scope[] | null = ['accounts:read']) => ({
  keyId: `key_${n}`,
  hash: hashOf(n),
  scopes,
  label: null,
  expiresAt: null,
});
const issue = (n: number, scopes?: readonly Scope[] | null) => issueKey('acme', key(n, scopes), plans, at);
const rotate = (n: number, successor: number, graceMs = 0) =>
  rotateKey(`key_${n}`, { keyId: `key_${successor}`, hash: hashOf(successor) }, graceMs, at);
const pin = (n: number, ...cidrs: string[]) => pinKey('acme', `key_${n}`, cidrs, plans, at);
const grant = (n: number, ...scopes: Scope[]) => grantScopes('acme', `key_${n}`, scopes, plans, at);
const ungrant = (n: number, ...scopes: Scope[]) => ungrantScopes(`key_${n}`, scopes, at);

describe('a key', () => {
  it('is issued to existing holders', () => {
    given(registered).when(issue(1)).then(issued(1));
    given()
      .when(issue(1))
      .thenRefused(/^holder_unknown: /);
  });

  it('has every scope of the plan but those that must be named', () => {
    given(registered)
      .when(issue(1, null))
      .then(issued(1, scopesOf('free')));
    given(registered, chosen('scale'))
      .when(issue(1, null))
      .then(
        issued(
          1,
          scopesOf('scale').filter((scope) => scope !== 'leads:read'),
        ),
      );
    given(registered, chosen('scale'))
      .when(issue(1, ['leads:read', 'accounts:read', 'leads:read']))
      .then(issued(1, ['accounts:read', 'leads:read']));
  });

  it('has no scope outside the plan, and the refusal names the lowest plan with it', () => {
    given(registered)
      .when(issue(1, ['accounts:read', 'tools:run']))
      .thenRefused(/^scope_not_on_plan: The plan free does not include tools:run.*"plan":"starter"/);
    given(registered, chosen('growth'))
      .when(issue(1, ['leads:read']))
      .thenRefused(/^scope_not_on_plan: .*"plan":"scale"/);
    const poor = plansOf('own', [plans.default]);
    given(registered)
      .when(issueKey('acme', key(1, ['leads:read']), poor, at))
      .thenRefused(/No active plan does/);
    given(registered)
      .when(issue(1, []))
      .thenRefused(/at least one scope.*accounts:read/);
    given(registered, chosen('gone'))
      .when(issue(1))
      .thenRefused(/^plan_inactive: .*plan gone.*"holder":"acme"/);
  });

  it('is limited in number by the plan', () => {
    given(registered, issued(1))
      .when(issue(2))
      .thenRefused(/^key_limit: .*1 keys in use, and the plan free allows 1\./);
    given(registered, issued(1), revoked(1)).when(issue(2)).then(issued(2));
    given(registered, chosen('starter'), issued(1), issued(2)).when(issue(3)).then(issued(3));
    given(registered, chosen('starter'), issued(1), issued(2), issued(3))
      .when(issue(4))
      .thenRefused(/allows 3/);
    // The one in its grace does not count, its successor does.
    given(registered, chosen('starter'), issued(1), issued(2), rotated(1, 3)).when(issue(4)).then(issued(4));
    given(registered, issued(1), rotated(1, 2))
      .when(issue(3))
      .thenRefused(/1 keys in use/);
  });
});

describe('a rotation', () => {
  it('issues a successor, and the old key works for the grace period', () => {
    given(registered, issued(1))
      .when(rotate(1, 2))
      .then(rotated(1, 2, at));
    given(registered, issued(1))
      .when(rotate(1, 2, 24 * HOUR))
      .then(rotated(1, 2, later));
  });

  it('needs no free key on the plan, and its successor can be rotated in turn', () => {
    given(registered, issued(1), rotated(1, 2))
      .when(rotate(2, 3))
      .then(rotated(2, 3, at));
  });

  it('passes on the old key’s scopes and pins', () => {
    const before = [
      registered,
      chosen('growth'),
      issued(1, ['accounts:read', 'people:read']),
      pinned(1, '10.0.0.0/8'),
      rotated(1, 2),
    ];
    given(...before)
      .when(grant(2, 'people:read'))
      .then();
    given(...before)
      .when(pin(2, '10.0.0.0/8'))
      .then();
  });

  it('is refused for a missing, revoked or rotated key', () => {
    given(registered)
      .when(rotate(1, 2))
      .thenRefused(/^key_unknown: .*key_1/);
    given(registered, issued(1), revoked(1))
      .when(rotate(1, 2))
      .thenRefused(/^key_revoked: /);
    given(registered, issued(1), rotated(1, 2))
      .when(rotate(1, 3))
      .thenRefused(/^key_rotated: .*"successor":"key_2"/);
    given(registered, chosen('starter'), issued(1), issued(2))
      .when(rotate(1, 2))
      .thenRefused(/a key key_2 already/);
  });

  it('has a grace period of at most thirty days', () => {
    given(registered, issued(1))
      .when(rotate(1, 2, 30 * 24 * HOUR))
      .then(rotated(1, 2, '2026-12-21T08:00:00.000Z'));
    for (const grace of [-1, 30 * 24 * HOUR + 1, Number.NaN])
      given(registered, issued(1))
        .when(rotate(1, 2, grace))
        .thenRefused(/at most 30 days/);
  });
});

describe('a revocation', () => {
  it('ends a key once, also in its grace period', () => {
    given(registered, issued(1)).when(revokeKey('key_1', at)).then(revoked(1));
    given(registered, issued(1), revoked(1)).when(revokeKey('key_1', later)).then();
    given(registered, issued(1), rotated(1, 2)).when(revokeKey('key_1', at)).then(revoked(1));
    given(registered, issued(1), rotated(1, 2), revoked(1)).when(revokeKey('key_2', at)).then(revoked(2));
    given(registered)
      .when(revokeKey('key_1', at))
      .thenRefused(/no key key_1/);
  });
});

describe('a pin', () => {
  const growth = [registered, chosen('growth'), issued(1)];

  it('limits a key to networks in normal form, each once', () => {
    given(...growth)
      .when(pin(1, '203.0.113.7', '10.1.2.3/8', '::ffff:203.0.113.7', '2001:DB8::1'))
      .then(pinned(1, '203.0.113.7/32', '10.0.0.0/8', '2001:db8::1/128'));
  });

  it('replaces the previous one, and repeats nothing', () => {
    given(...growth, pinned(1, '10.0.0.0/8'))
      .when(pin(1, '10.0.0.0/9'))
      .then(pinned(1, '10.0.0.0/9'));
    given(...growth, pinned(1, '10.0.0.0/8', '1.1.1.1/32'))
      .when(pin(1, '1.1.1.1', '10.9.9.9/8'))
      .then();
  });

  it('is refused for an invalid address, naming it', () => {
    given(...growth)
      .when(pin(1, '10.0.0.0/8', '127.1'))
      .thenRefused(/^address_invalid: "127\.1" is not an address/);
    given(...growth)
      .when(pin(1))
      .thenRefused(/^addresses_missing: .*"keyId":"key_1"/);
  });

  it('can be set only on plans with allowlists', () => {
    given(registered, chosen('starter'), issued(1))
      .when(pin(1, '10.0.0.0/8'))
      .thenRefused(/^allowlist_not_on_plan: The plan starter .*"plan":"growth"/);
    const poor = plansOf('own', [plans.default]);
    given(registered, issued(1))
      .when(pinKey('acme', 'key_1', ['10.0.0.0/8'], poor, at))
      .thenRefused(/No active plan has/);
    given(registered)
      .when(pin(1, '10.0.0.0/8'))
      .thenRefused(/no key key_1/);
    given(...growth, revoked(1))
      .when(pin(1, '10.0.0.0/8'))
      .thenRefused(/is revoked/);
  });

  it('can be removed on any plan', () => {
    given(...growth, pinned(1, '10.0.0.0/8'), chosen('free'))
      .when(unpinKey('key_1', at))
      .then(pinned(1));
    given(...growth)
      .when(unpinKey('key_1', at))
      .then();
    given(registered)
      .when(unpinKey('key_1', at))
      .thenRefused(/no key key_1/);
    given(...growth, revoked(1))
      .when(unpinKey('key_1', at))
      .thenRefused(/is revoked/);
  });
});

describe('scopes', () => {
  const scale = [registered, chosen('scale'), issued(1)];

  it('are added when granted, and the event has the key’s whole set', () => {
    given(...scale)
      .when(grant(1, 'leads:read', 'people:read'))
      .then(granted(1, 'accounts:read', 'people:read', 'leads:read'));
    given(...scale)
      .when(grant(1, 'accounts:read'))
      .then();
  });

  it('are not granted outside the plan', () => {
    given(registered, issued(1))
      .when(grant(1, 'research:read'))
      .thenRefused(/^scope_not_on_plan: .*"plan":"growth"/);
    given(registered)
      .when(grant(1, 'people:read'))
      .thenRefused(/no key key_1/);
    given(...scale, revoked(1))
      .when(grant(1, 'people:read'))
      .thenRefused(/is revoked/);
  });

  it('of a higher plan stay when others are granted', () => {
    given(registered, chosen('scale'), issued(1, ['leads:read']), chosen('free'))
      .when(grant(1, 'people:read'))
      .then(granted(1, 'people:read', 'leads:read'));
  });

  it('are granted to a rotated key’s successor', () => {
    given(...scale, rotated(1, 2))
      .when(grant(1, 'people:read'))
      .thenRefused(/^key_rotated: .*"successor":"key_2"/);
    given(...scale, rotated(1, 2))
      .when(grant(2, 'people:read'))
      .then(granted(2, 'accounts:read', 'people:read'));
  });

  it('can be removed, except the last one', () => {
    given(...scale, granted(1, 'accounts:read', 'people:read'))
      .when(ungrant(1, 'people:read', 'tools:run'))
      .then(granted(1, 'accounts:read'));
    given(...scale)
      .when(ungrant(1, 'people:read'))
      .then();
    given(...scale)
      .when(ungrant(1, 'accounts:read'))
      .thenRefused(/^scopes_left_empty: .*"keyId":"key_1"/);
    given(registered)
      .when(ungrant(1, 'people:read'))
      .thenRefused(/no key key_1/);
    given(...scale, revoked(1))
      .when(ungrant(1, 'accounts:read'))
      .thenRefused(/is revoked/);
  });
});

describe('a key with an expiry', () => {
  const expiring = (expiresAt: string, when = at) => issueKey('acme', { ...key(1), expiresAt }, plans, when);
  const ends: HolderEvent = {
    type: 'KeyIssued',
    data: { ...(issued(1) as Extract<HolderEvent, { type: 'KeyIssued' }>).data, expires_at: later },
  };

  it('ends in the future', () => {
    given(registered).when(expiring(later)).then(ends);
    given(registered)
      .when(expiring(at))
      .thenRefused(/^expiry_invalid: /);
  });

  it('leaves its place on the plan once it has ended', () => {
    const free = plans.default.keys;
    const others = Array.from({ length: free - 1 }, (_, n) => issued(n + 2));
    given(registered, ends, ...others)
      .when(issue(9))
      .thenRefused(/^key_limit: /);
    given(registered, ends, ...others)
      .when(issueKey('acme', key(9), plans, later))
      .then({ type: 'KeyIssued', data: { ...(issued(9).data as object), at: later } } as HolderEvent);
  });

  it('passes its end on to a successor, and no grace outlives it', () => {
    const forty = 40 * HOUR;
    given(registered, ends)
      .when(rotate(1, 2, forty))
      .then(rotated(1, 2, later));
    given(registered, ends)
      .when(rotateKey('key_1', { keyId: 'key_2', hash: hashOf(2) }, 0, later))
      .thenRefused(/^expiry_invalid: /);
  });
});
