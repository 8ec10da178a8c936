import { UsageError } from '../../kernel/errors.ts';
import type { Decider } from '../command.ts';
import type { HolderEvent, Scope } from './events.ts';

interface KeyState {
  readonly revoked: boolean;
}

export interface HolderState {
  readonly registered: boolean;
  readonly keys: ReadonlyMap<string, KeyState>;
}

export const holderDecider: Decider<HolderState, HolderEvent> = {
  initial: { registered: false, keys: new Map() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'HolderRegistered':
        return { ...state, registered: true };
      case 'KeyIssued':
        return { ...state, keys: new Map(state.keys).set(event.data.key_id, { revoked: false }) };
      case 'KeyRevoked':
        return { ...state, keys: new Map(state.keys).set(event.data.key_id, { revoked: true }) };
    }
  },
};

/** Registers a holder once; the same again changes nothing. */
export const registerHolder =
  (holder: string, name: string, at: string) =>
  (state: HolderState): readonly HolderEvent[] =>
    state.registered ? [] : [{ type: 'HolderRegistered', data: { at, holder, name } }];

export interface NewKey {
  readonly keyId: string;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly label: string | null;
}

/** @throws {UsageError} where there is no such holder. */
export const issueKey =
  (holder: string, key: NewKey, at: string) =>
  (state: HolderState): readonly HolderEvent[] => {
    if (!state.registered) {
      throw new UsageError(`There is no holder ${holder}. Add one with: sightline holders add <name>`);
    }
    if (state.keys.has(key.keyId)) return [];
    const { keyId, hash, scopes, label } = key;
    return [{ type: 'KeyIssued', data: { at, key_id: keyId, key_hash: hash, scopes: [...scopes], label } }];
  };

/** Revoking a revoked key changes nothing. @throws {UsageError} where the holder has no such key. */
export const revokeKey =
  (keyId: string, at: string) =>
  (state: HolderState): readonly HolderEvent[] => {
    const key = state.keys.get(keyId);
    if (key === undefined)
      throw new UsageError(`There is no key ${keyId}. List them with: sightline keys list`);
    return key.revoked ? [] : [{ type: 'KeyRevoked', data: { at, key_id: keyId } }];
  };
