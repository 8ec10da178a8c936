import { activeBuild } from '../../projections/builds.ts';
import { holders } from '../../projections/holders.ts';
import { type HolderListing, type KeyListing, listHolders, listKeys } from '../../read/holders.ts';
import type { Program } from './open.ts';
import { projected } from './projected.ts';

/** Schema of the holders' read model, with everything in it that the log has by now. */
const currentSchema = async (program: Program): Promise<string> => {
  await projected(program, await program.log.head());
  return (await activeBuild(program.db, holders.name, holders.version))?.schema ?? '';
};

export const readHolders = async (program: Program): Promise<readonly HolderListing[]> =>
  listHolders(program.db, await currentSchema(program));

export const readKeys = async (program: Program, holder: string | null): Promise<readonly KeyListing[]> =>
  listKeys(program.db, await currentSchema(program), holder);
