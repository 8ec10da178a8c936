import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/kernel/platform.ts';
import {
  accountOfStream,
  type Identified,
  type Identities,
  namesOf,
  settle,
} from '../../../src/projections/identity.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString();
const CHANNEL = `UC${'a'.repeat(22)}`;

const account = (handle: string | null, native_id: string | null, minute = 0): Identified => ({
  handle,
  native_id,
  observed_at: at(minute),
});

const among = (...accounts: Identified[]): Identities<Identified> => ({
  entryAt: (_platform: Platform, handle: string) => accounts.find((one) => one.handle === handle),
  entryOf: (_platform: Platform, id: string) => accounts.find((one) => one.native_id === id),
});

const sighted = (handle: string | null, id: string | null, minute = 9) => ({
  platform: 'x' as const,
  handle,
  id,
  at: at(minute),
});
const none = { displaced: undefined, absorbed: undefined };

describe('a reading', () => {
  it('belongs to a new account if neither its ID nor its handle is known', () => {
    expect(settle(among(), sighted('ann', '1'))).toEqual({ own: undefined, isRenamed: false, ...none });
  });

  it('belongs to the account with its ID, whatever the handle', () => {
    const ann = account('ann', '1');
    expect(settle(among(ann), sighted('ann', '1'))).toEqual({ own: ann, isRenamed: false, ...none });
    expect(settle(among(ann), sighted('anna', '1'))).toEqual({ own: ann, isRenamed: true, ...none });
  });

  it('belongs to the account with its handle if it has no ID', () => {
    const ann = account('ann', '1');
    expect(settle(among(ann), sighted('ann', null))).toEqual({ own: ann, isRenamed: false, ...none });
  });

  it('gives its ID to an account that was seen under the handle without one', () => {
    const ann = account('ann', null);
    expect(settle(among(ann), sighted('ann', '1'))).toEqual({ own: ann, isRenamed: false, ...none });
  });

  it('takes the handle of another account, which remains', () => {
    const [ann, bob] = [account('ann', '1'), account('bob', '2')];
    expect(settle(among(ann, bob), sighted('ann', '2'))).toEqual({
      own: bob,
      isRenamed: true,
      displaced: ann,
      absorbed: undefined,
    });
    expect(settle(among(ann), sighted('ann', '3'))).toEqual({
      own: undefined,
      isRenamed: false,
      displaced: ann,
      absorbed: undefined,
    });
  });

  it('identifies an account seen under the handle without an ID as one known by its ID', () => {
    const [ann, bob] = [account('ann', null), account('bob', '2')];
    expect(settle(among(ann, bob), sighted('ann', '2'))).toEqual({
      own: bob,
      isRenamed: true,
      displaced: undefined,
      absorbed: ann,
    });
  });

  it('is outdated if the handle was seen with another account since', () => {
    const ann = account('ann', '1', 9);
    expect(settle(among(ann), sighted('ann', '2', 9))).toBe('outdated');
    expect(settle(among(ann), sighted('ann', '2', 10))).not.toBe('outdated');
  });
});

describe('a stream', () => {
  it('is about the account that has its name at present', () => {
    const [ann, nameless, named] = [account('ann', '1'), account(null, CHANNEL), account('ann', CHANNEL)];
    expect(accountOfStream(among(ann), 'account-youtube:ann')).toBe(ann);
    expect(accountOfStream(among(nameless), `account-youtube:${CHANNEL}`)).toBe(nameless);
    expect(accountOfStream(among(named), `account-youtube:${CHANNEL}`)).toBeUndefined();
    expect(namesOf(`account-youtube:${CHANNEL}`)).toEqual({
      platform: 'youtube',
      handle: null,
      namedId: CHANNEL,
    });
  });
});
