import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { bool, createTables, defineTable, int8, name, nullable, type RowOf } from '../../table/table.ts';

/** A handle that an account has, as far as its last reading knows. */
export const handleTable = defineTable(
  'handles',
  {
    platform: name(platformSchema),
    handle: name(),
    /** Of the account that has it; null until a reading shows it. */
    native_id: nullable(name()),
    /** At the last sighting that moved them by more than a bin. */
    followers: nullable(int8()),
    /** The skeleton of the handle (`analysis/handles.ts`). */
    skeleton: name(),
    /** Whether `deletes` has rows of it. */
    has_deletes: bool(),
  },
  { key: ['platform', 'handle'], platforms: DIRECTORY_PLATFORMS },
);
export type HandleRow = RowOf<typeof handleTable>;

/** A hash of a handle without up to two of its characters: about 120 rows for a handle of 15 (`analysis/handles.ts`). */
export const deleteTable = defineTable(
  'deletes',
  { platform: name(platformSchema), hash: int8(), handle: name() },
  { key: ['platform', 'hash', 'handle'], platforms: DIRECTORY_PLATFORMS },
);
export type DeleteRow = RowOf<typeof deleteTable>;

export const tables = (schema: string): string => createTables(schema, [handleTable, deleteTable]);

export const indexes = (schema: string): string => `create index on ${schema}.handles (skeleton);`;
