import { describe, expect, it } from 'vitest';
import {
  type AccountEvent,
  evolveOwner,
  isTakenOver,
  noOwner,
  type Owner,
} from '../../../src/write/accounts/account.ts';
import { posted, sighted, unavailable, unchanged } from '../../support/program.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString();
const seen = (id: string | null) => sighted('ann', at(0), { id });
const ownerAfter = (...events: AccountEvent[]): Owner => events.reduce(evolveOwner, noOwner);
const absent = unavailable(at(1), 'absent');

describe('a handle', () => {
  it('has a new owner if a reading shows another native ID, whatever came between', () => {
    expect(isTakenOver(ownerAfter(seen('1')), { id: '2' })).toBe(true);
    expect(isTakenOver(ownerAfter(seen('1')), { id: '1' })).toBe(false);
    expect(isTakenOver(ownerAfter(seen('1'), absent), { id: '1' })).toBe(false);
    expect(
      isTakenOver(ownerAfter(seen('1'), posted(at(1), { id: 'p' }), unchanged(at(2))), { id: '2' }),
    ).toBe(true);
  });

  it('has a new owner without IDs if it was found unused in between, not only suspended', () => {
    expect(isTakenOver(ownerAfter(seen(null), absent), { id: null })).toBe(true);
    expect(isTakenOver(ownerAfter(seen(null), absent), { id: '1' })).toBe(true);
    expect(isTakenOver(ownerAfter(seen(null), unavailable(at(1), 'suspended')), { id: null })).toBe(false);
    expect(isTakenOver(ownerAfter(seen(null), absent, unchanged(at(2))), { id: null })).toBe(false);
  });

  it('keeps its owner’s ID where a later surface hides it', () => {
    expect(isTakenOver(ownerAfter(seen('1'), seen(null)), { id: '2' })).toBe(true);
    expect(ownerAfter(seen('1'), seen(null)).id).toBe('1');
    expect(ownerAfter(seen('1'), absent, seen(null)).id).toBeNull();
  });

  it('is not taken over if no account was seen under it', () => {
    expect(isTakenOver(ownerAfter(absent), { id: '1' })).toBe(false);
    expect(isTakenOver(noOwner, { id: '1' })).toBe(false);
  });
});
