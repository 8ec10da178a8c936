import type { Platform } from '../kernel/platform.ts';
import { handleIn } from '../platforms/index.ts';
import { accountOf } from '../write/accounts/account.ts';

/** The names of an account: a handle, or its native ID while it has no handle. */
export interface Names {
  readonly platform: Platform;
  readonly handle: string | null;
  /** The native ID in the stream's name; null if that is a handle. */
  readonly namedId: string | null;
}

/** The names that a stream's own name gives. */
export const namesOf = (stream: string): Names => {
  const { platform, handle: name } = accountOf(stream);
  const handle = handleIn(platform, name);
  return { platform, handle, namedId: handle === null ? name : null };
};

/** The facts that decide which account a reading belongs to. */
export interface Identified {
  readonly handle: string | null;
  readonly native_id: string | null;
  /** The last reading, conclusive or not. */
  readonly observed_at: string;
}

/** The accounts of a view, by their current names. */
export interface Identities<Account extends Identified> {
  entryAt(platform: Platform, handle: string): Account | undefined;
  entryOf(platform: Platform, nativeId: string): Account | undefined;
}

/** A reading of an account that exists. */
export interface Sighted {
  readonly platform: Platform;
  readonly handle: string | null;
  readonly id: string | null;
  readonly at: string;
}

export interface Settlement<Account> {
  /** The account that the reading belongs to; undefined for a new one. */
  readonly own: Account | undefined;
  readonly isRenamed: boolean;
  /** The account that has held the handle so far and loses it to this one. */
  readonly displaced: Account | undefined;
  /** An account that turns out to be this one: it was seen under the handle without an ID. */
  readonly absorbed: Account | undefined;
}

/**
 * Settles which account a reading belongs to. The native ID decides: an account seen under a new handle remains the same, and an
 * account whose handle was taken over remains without a handle. An account seen without an ID takes the first ID that its handle
 * shows. A reading older than the handle's current state never reassigns it: `outdated`.
 */
export const settle = <Account extends Identified>(
  identities: Identities<Account>,
  { platform, handle, id, at }: Sighted,
): Settlement<Account> | 'outdated' => {
  const here = handle === null ? undefined : identities.entryAt(platform, handle);
  const same = id === null ? here : identities.entryOf(platform, id);
  const own = same ?? (here?.native_id === null ? here : undefined);
  const isRenamed = own !== undefined && own.handle !== handle;
  if (here === undefined || here === own) {
    return { own, isRenamed, displaced: undefined, absorbed: undefined };
  }
  if (at <= here.observed_at) return 'outdated';
  const isAbsorbed = here.native_id === null;
  return {
    own,
    isRenamed,
    displaced: isAbsorbed ? undefined : here,
    absorbed: isAbsorbed ? here : undefined,
  };
};

/** The account that a stream is currently about. A stream named by an ID is obsolete once a handle is known. */
export const accountOfStream = <Account extends Identified>(
  identities: Identities<Account>,
  stream: string,
): Account | undefined => {
  const { platform, handle, namedId } = namesOf(stream);
  if (handle !== null) return identities.entryAt(platform, handle);
  const account = namedId === null ? undefined : identities.entryOf(platform, namedId);
  return account?.handle === null ? account : undefined;
};
