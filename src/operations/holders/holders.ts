import { randomBytes } from 'node:crypto';
import { OperatorError } from '../../kernel/errors.ts';
import { holders } from '../../projections/views/holders/projection.ts';
import {
  findHolder,
  type HolderListing,
  type HolderTerms,
  type KeyListing,
  listHolders as listHolderRows,
  listKeys,
} from '../../read/holders.ts';
import {
  registerHolder,
  resumeHolder as resumeDecision,
  suspendHolder as suspendDecision,
} from '../../write/holders/holder.ts';
import type { OperationsContext } from '../context.ts';
import { currentSchema } from '../projections/read-model.ts';
import { readWallet, type Wallet } from '../usage/wallet.ts';
import { activePlans, changeHolder } from './change-holder.ts';

export type { HolderListing, HolderTerms, KeyListing } from '../../read/holders.ts';

/**
 * Adds a holder.
 * @param added without an `id` it is derived from the name; without a `plan` the default one applies.
 * @returns the ID.
 * @throws {OperatorError} `holder_invalid`, `holder_exists`, `plan_unknown`
 */
export const addHolder = async (
  context: OperationsContext,
  added: { readonly name: string; readonly id: string | null; readonly plan: string | null },
): Promise<string> => {
  const holder = added.id ?? idOf(added.name);
  if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(holder)) {
    throw new OperatorError(
      'holder_invalid',
      `"${holder}" is no holder id: use up to 60 of a-z, 0-9 and -, for example acme-research.`,
    );
  }
  const plans = await activePlans(context.config);
  const events = await changeHolder(context, holder, (at) =>
    registerHolder({ holder, name: added.name, plan: added.plan }, plans, at),
  );
  if (events.length === 0) {
    throw new OperatorError('holder_exists', `There is a holder ${holder} already.`, { params: { holder } });
  }
  return holder;
};

/** Suspends a holder: within a second no process accepts its keys. @returns whether that changed anything. @throws {OperatorError} */
export const suspendHolder = async (
  context: OperationsContext,
  holder: string,
  why: string,
): Promise<boolean> =>
  (await changeHolder(context, holder, (at) => suspendDecision(holder, why, at))).length > 0;

/** Ends a suspension. @returns whether there was one. @throws {OperatorError} `holder_unknown` */
export const resumeHolder = async (context: OperationsContext, holder: string): Promise<boolean> =>
  (await changeHolder(context, holder, (at) => resumeDecision(holder, at))).length > 0;

export const listHolders = async (context: OperationsContext): Promise<readonly HolderListing[]> =>
  listHolderRows(context.db, await currentSchema(context, holders));

export interface HolderDetails {
  readonly terms: HolderTerms;
  readonly keys: readonly KeyListing[];
  readonly wallet: Wallet;
}

/** @throws {OperatorError} `holder_unknown` */
export const showHolder = async (context: OperationsContext, holder: string): Promise<HolderDetails> => {
  const schema = await currentSchema(context, holders);
  const terms = await findHolder(context.db, schema, holder);
  if (terms === null) throw unknownHolder(holder);
  return {
    terms,
    keys: await listKeys(context.db, schema, holder),
    wallet: await readWallet(context.db, terms),
  };
};

export const unknownHolder = (holder: string): OperatorError =>
  new OperatorError('holder_unknown', `There is no holder ${holder}.`, { params: { holder } });

/** `Acme Research` → `acme-research`. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || `holder-${randomBytes(4).toString('hex')}`;
