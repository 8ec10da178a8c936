import { findHolder, findKey, listHolders, listKeys } from '../../read/holders/holders.ts';
import type { OperationsContext } from '../context.ts';
import { changeHolder, currentSchema } from './change-holder.ts';

export { changeHolder };
export const readHolders = async (context: OperationsContext) =>
  listHolders(context.db, await currentSchema(context));
export const readHolder = async (context: OperationsContext, holder: string) =>
  findHolder(context.db, await currentSchema(context), holder);
export const readKeys = async (context: OperationsContext, holder: string | null) =>
  listKeys(context.db, await currentSchema(context), holder);
export const readKey = async (context: OperationsContext, keyId: string) =>
  findKey(context.db, await currentSchema(context), keyId);
