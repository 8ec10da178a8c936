import { describe, expect, it } from 'vitest';
import { holderDecider, issueKey, registerHolder, revokeKey } from '../../../src/write/holders/decide.ts';
import type { HolderEvent } from '../../../src/write/holders/events.ts';
import { createKey, hashKey, isKey } from '../../../src/write/holders/key.ts';
import { storyOf } from '../../support/given.ts';

const at = '2026-11-21T08:00:00.000Z';
const story = storyOf(holderDecider);
const registered: HolderEvent = { type: 'HolderRegistered', data: { at, holder: 'acme', name: 'Acme' } };
const hash = 'a'.repeat(64);
const issued: HolderEvent = {
  type: 'KeyIssued',
  data: { at, key_id: 'key_1', key_hash: hash, scopes: ['accounts:read'], label: null },
};
const revoked: HolderEvent = { type: 'KeyRevoked', data: { at, key_id: 'key_1' } };
const key = { keyId: 'key_1', hash, scopes: ['accounts:read'] as const, label: null };

describe('a holder', () => {
  it('is registered once', () => {
    story
      .given()
      .when(registerHolder('acme', 'Acme', at))
      .then(registered);
    story
      .given(registered)
      .when(registerHolder('acme', 'Other', at))
      .then();
  });

  it('gets keys only when it is there', () => {
    story
      .given(registered)
      .when(issueKey('acme', key, at))
      .then(issued);
    story
      .given()
      .when(issueKey('acme', key, at))
      .thenRefused(/holders add/);
  });

  it('loses a key once, and only one that it has', () => {
    story.given(registered, issued).when(revokeKey('key_1', at)).then(revoked);
    story.given(registered, issued, revoked).when(revokeKey('key_1', at)).then();
    story
      .given(registered)
      .when(revokeKey('key_1', at))
      .thenRefused(/no key key_1/);
  });
});

describe('a key', () => {
  it('is slk_ and 38 base62 characters, never the same twice', () => {
    const keys = Array.from({ length: 200 }, createKey);
    for (const made of keys) {
      expect(made).toMatch(/^slk_[0-9A-Za-z]{38}$/);
      expect(isKey(made)).toBe(true);
    }
    expect(new Set(keys).size).toBe(200);
    expect(hashKey(keys[0] as string)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('with any one character mistyped is known to be none', () => {
    const made = createKey();
    for (let i = 0; i < made.length; i++) {
      const other = made[i] === 'x' ? 'y' : 'x';
      expect(isKey(made.slice(0, i) + other + made.slice(i + 1)), `at ${i}`).toBe(false);
    }
    for (const bad of ['', 'slk_', made.slice(1), `${made}0`, made.toUpperCase()])
      expect(isKey(bad)).toBe(false);
  });
});
