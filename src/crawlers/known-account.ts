import { ServiceError } from '../kernel/errors.ts';
import type { Platform } from '../kernel/platform.ts';
import type { AccountReads, KnownAccount } from '../read/accounts.ts';
import { isBuildGone } from '../read/active-builds.ts';
import type { Address, KnownStatus, ReadOptions } from './platforms/adapter.ts';

/**
 * What the catalog knows of an account that is about to be read. Looked up once, on first use.
 * @param accounts nothing is known if undefined, or before the first build.
 */
export const knowledgeOf = (
  accounts: Accounts | undefined,
  platform: Platform,
  address: Address,
): Required<Pick<ReadOptions, 'known' | 'knownNames'>> => {
  let looked: Promise<KnownAccount | null> | undefined;
  const look = async (): Promise<KnownAccount | null> => {
    if (accounts === undefined) return null;
    try {
      return await accountAt(accounts, platform, address);
    } catch (error) {
      if (error instanceof ServiceError || isBuildGone(error)) return null;
      throw error;
    }
  };
  const find = () => {
    looked ??= look();
    return looked;
  };
  return {
    known: async () => {
      const account = await find();
      return account === null ? null : statusOf(account);
    },
    knownNames: async () => {
      const account = await find();
      return account === null ? null : { id: account.native_id, handle: account.handle };
    },
  };
};

/** Whether the catalog has an account, or a verdict on its name. */
export const isKnown = async (
  accounts: Accounts | undefined,
  platform: Platform,
  address: Address,
): Promise<boolean> => (await knowledgeOf(accounts, platform, address).known()) !== null;

type Accounts = Pick<AccountReads, 'find' | 'verdict'>;

const statusOf = ({ status }: KnownAccount): KnownStatus | null => {
  if (status === 'unknown') return null;
  return status === 'active' || status === 'private' ? 'seen' : status;
};

/** The account at an address, or the verdict on a handle without an account. */
const accountAt = async (accounts: Accounts, platform: Platform, address: Address) => {
  if (address.kind === 'id') return accounts.find({ platform, by: 'id', value: address.id });
  const key = { platform, by: 'handle', value: address.handle } as const;
  return (await accounts.find(key)) ?? accounts.verdict(key);
};
