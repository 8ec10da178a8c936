import { describe, expect, it } from 'vitest';
import { knowledgeOf } from '../../src/crawlers/known-account.ts';
import { ServiceError } from '../../src/kernel/errors.ts';
import type { AccountKey, KnownAccount } from '../../src/read/accounts.ts';

const account = (name: string, native_id: string | null, status: KnownAccount['status'] = 'active') =>
  ({ name, handle: name, native_id, status }) as KnownAccount;

/** The catalog: accounts by their present names, and what was proven of names that none has. */
const catalog = (...rows: readonly KnownAccount[]) => {
  let asked = 0;
  const find = async ({ by, value }: AccountKey) => {
    asked += 1;
    return rows.findLast((row) => (by === 'id' ? row.native_id === value : row.name === value)) ?? null;
  };
  return { find, verdict: async () => null, asked: () => asked };
};

const ann = { kind: 'handle', handle: 'ann' } as const;

describe('the catalog’s knowledge of an account that is read', () => {
  it.for([
    ['active', 'seen'],
    ['private', 'seen'],
    ['suspended', 'suspended'],
    ['deactivated', 'deactivated'],
    ['absent', 'absent'],
    ['unknown', null],
  ] as const)('for one that is %s is %s', async ([status, known]) => {
    expect(await knowledgeOf(catalog(account('ann', '1', status)), 'tiktok', ann).known()).toBe(known);
  });

  it('is what was proven of a name that no account has now', async () => {
    const { find } = catalog();
    const accounts = { find, verdict: async () => account('ann', null, 'absent') };
    expect(await knowledgeOf(accounts, 'tiktok', ann).known()).toBe('absent');
  });

  it('adds the handle to an ID and the ID to a handle, with one look-up', async () => {
    const accounts = catalog(account('ann', '1'));
    const byId = knowledgeOf(accounts, 'youtube', { kind: 'id', id: '1' });
    expect(await byId.knownNames()).toEqual({ id: '1', handle: 'ann' });
    expect(await byId.known()).toBe('seen');
    expect(accounts.asked()).toBe(1);
    expect(await knowledgeOf(accounts, 'youtube', ann).knownNames()).toEqual({ id: '1', handle: 'ann' });
  });

  it('is empty while the catalog cannot be read, and throws our own failures', async () => {
    const building = () => Promise.reject(new ServiceError('service_unavailable', 'building'));
    expect(await knowledgeOf({ find: building, verdict: building }, 'x', ann).known()).toBeNull();
    expect(await knowledgeOf(undefined, 'x', ann).known()).toBeNull();
    const broken = () => Promise.reject(new Error('broken'));
    await expect(knowledgeOf({ find: broken, verdict: broken }, 'x', ann).known()).rejects.toThrow('broken');
  });
});
