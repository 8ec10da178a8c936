import { randomBytes } from 'node:crypto';
import { isoOf } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { holders } from '../../projections/views/holders/projection.ts';
import { findHolder, findKey, type KeyListing, listKeys as listKeyRows } from '../../read/holders.ts';
import { createKey, hashKey } from '../../write/holders/api-key.ts';
import {
  grantScopes as grantDecision,
  type HolderDecision,
  issueKey as issueDecision,
  pinKey as pinDecision,
  revokeKey as revokeDecision,
  rotateKey as rotateDecision,
  ungrantScopes as ungrantDecision,
  unpinKey as unpinDecision,
} from '../../write/holders/holder.ts';
import { SCOPES, type Scope, scopeSchema } from '../../write/holders/plans.ts';
import type { OperationsContext } from '../context.ts';
import { currentSchema } from '../projections/read-model.ts';
import { activePlans, changeHolder } from './change-holder.ts';
import { unknownHolder } from './holders.ts';

export type { Scope } from '../../write/holders/plans.ts';

/** @throws {OperatorError} `scope_unknown` */
export const parseScopes = (names: readonly string[]): readonly Scope[] =>
  names.map((name) => {
    const scope = scopeSchema.safeParse(name);
    if (scope.success) return scope.data;
    throw new OperatorError('scope_unknown', `"${name}" is no scope. The scopes are: ${SCOPES.join(', ')}`);
  });

/** A key as text: it exists here only, since the event log holds its hash. */
export interface IssuedKey {
  readonly holder: string;
  readonly keyId: string;
  readonly key: string;
}

/**
 * Issues a key.
 * @param issue `scopes`: all of the plan but those that have to be named, where null. `expiresAtMs`: null for never.
 * @param onIssued called with the key as soon as the event log has it, which can be before it is accepted.
 * @throws {OperatorError} `holder_unknown`, `key_limit`, `scope_not_on_plan`, `scopes_missing`, `expiry_invalid`
 */
export const issueKey = async (
  context: OperationsContext,
  issue: {
    readonly holder: string;
    readonly scopes: readonly Scope[] | null;
    readonly label: string | null;
    readonly expiresAtMs?: number | null;
  },
  onIssued: (issued: IssuedKey) => void = () => undefined,
): Promise<IssuedKey> => {
  const { holder, scopes, label, expiresAtMs = null } = issue;
  const expiresAt = expiresAtMs === null ? null : isoOf(expiresAtMs);
  const { key, keyId, hash } = newKey();
  const issued = { holder, keyId, key };
  const plans = await activePlans(context.config);
  await changeHolder(
    context,
    holder,
    (at) => issueDecision(holder, { keyId, hash, scopes, label, expiresAt }, plans, at),
    () => onIssued(issued),
  );
  return issued;
};

/** Keys of a holder, or of all. @throws {OperatorError} `holder_unknown` */
export const listKeys = async (
  context: OperationsContext,
  holder: string | null,
): Promise<readonly KeyListing[]> => {
  const schema = await currentSchema(context, holders);
  if (holder !== null && (await findHolder(context.db, schema, holder)) === null) throw unknownHolder(holder);
  return listKeyRows(context.db, schema, holder);
};

export interface RotatedKey extends IssuedKey {
  readonly replaces: { readonly keyId: string; readonly expiresAt: string };
}

/**
 * Replaces a key by a new one with the same scopes and allowlist.
 * @param graceMs milliseconds that the old key stays valid.
 * @param onIssued called with the new key as soon as the event log has it.
 * @throws {OperatorError} `key_unknown`, `key_revoked`, `key_rotated`, `grace_invalid`
 */
export const rotateKey = async (
  context: OperationsContext,
  { keyId, graceMs }: { readonly keyId: string; readonly graceMs: number },
  onIssued: (rotated: RotatedKey) => void = () => undefined,
): Promise<RotatedKey> => {
  const { holder } = await findById(context, keyId);
  const { key, ...successor } = newKey();
  let expiresAt = '';
  const rotated = (): RotatedKey => ({ holder, keyId: successor.keyId, key, replaces: { keyId, expiresAt } });
  await changeHolder(
    context,
    holder,
    (at) => {
      expiresAt = isoOf(Date.parse(at) + graceMs);
      return rotateDecision(keyId, successor, graceMs, at);
    },
    () => onIssued(rotated()),
  );
  return rotated();
};

export interface KeyChange {
  /** False if nothing had to change. */
  readonly changed: boolean;
  readonly key: KeyListing;
}

/** Revokes a key: within a second no process accepts it. @throws {OperatorError} `key_unknown` */
export const revokeKey = (context: OperationsContext, keyId: string): Promise<KeyChange> =>
  changeKey(context, keyId, () => (at) => revokeDecision(keyId, at));

/**
 * Sets the IP allowlist of a key.
 * @param cidrs addresses or networks.
 * @throws {OperatorError} `key_unknown`, `key_revoked`, `address_invalid`, `addresses_missing`, `allowlist_not_on_plan`
 */
export const pinKey = async (
  context: OperationsContext,
  keyId: string,
  cidrs: readonly string[],
): Promise<KeyChange> => {
  const plans = await activePlans(context.config);
  return changeKey(context, keyId, (holder) => (at) => pinDecision(holder, keyId, cidrs, plans, at));
};

/** Removes the IP allowlist of a key. @throws {OperatorError} `key_unknown`, `key_revoked` */
export const unpinKey = (context: OperationsContext, keyId: string): Promise<KeyChange> =>
  changeKey(context, keyId, () => (at) => unpinDecision(keyId, at));

/** @throws {OperatorError} `key_unknown`, `key_revoked`, `key_rotated`, `scope_not_on_plan` */
export const grantScopes = async (
  context: OperationsContext,
  keyId: string,
  scopes: readonly Scope[],
): Promise<KeyChange> => {
  const plans = await activePlans(context.config);
  return changeKey(context, keyId, (holder) => (at) => grantDecision(holder, keyId, scopes, plans, at));
};

/** @throws {OperatorError} `key_unknown`, `key_revoked`, `scopes_left_empty` */
export const ungrantScopes = (
  context: OperationsContext,
  keyId: string,
  scopes: readonly Scope[],
): Promise<KeyChange> => changeKey(context, keyId, () => (at) => ungrantDecision(keyId, scopes, at));

const newKey = () => {
  const key = createKey();
  return { key, keyId: `key_${randomBytes(6).toString('hex')}`, hash: hashKey(key) };
};

const findById = async (context: OperationsContext, keyId: string): Promise<KeyListing> => {
  const key = await findKey(context.db, await currentSchema(context, holders), keyId);
  if (key !== null) return key;
  throw new OperatorError('key_unknown', `There is no key ${keyId}.`, { params: { keyId } });
};

const changeKey = async (
  context: OperationsContext,
  keyId: string,
  decisionFor: (holder: string) => (at: string) => HolderDecision,
): Promise<KeyChange> => {
  const { holder } = await findById(context, keyId);
  const events = await changeHolder(context, holder, decisionFor(holder));
  return { changed: events.length > 0, key: await findById(context, keyId) };
};
