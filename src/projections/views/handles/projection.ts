import { deleteHashes, INDEXED_FROM, isIndexable, skeletonOf } from '../../../analysis/handles.ts';
import { binOf } from '../../../kernel/log-bins.ts';
import { versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { comparedName, handleIn, isInDirectory } from '../../../platforms/index.ts';
import { accountOf, accountStream } from '../../../write/accounts/account.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { deleteRows, upserts, writeAll } from '../../table/bulk.ts';
import { driverReader, loadRows } from '../../table/table.ts';
import { type DeleteRow, deleteTable, type HandleRow, handleTable, indexes, tables } from './tables.ts';

/** Followers below which a handle is no longer found by edits: what is near the bound does not come and go. */
const DELETES_UNTIL = 800;

/** Rows by stream, null where there is none, and those that were stored of what a batch changed. */
interface State {
  readonly rows: Map<string, HandleRow | null>;
  readonly stored: Map<string, HandleRow | null>;
}

const put = ({ rows, stored }: State, stream: string, row: HandleRow | null): void => {
  const before = rows.get(stream) ?? null;
  if (before === row) return;
  if (!stored.has(stream)) stored.set(stream, before);
  rows.set(stream, row);
};

const hasDeletes = (name: string, followers: number | null, hadDeletes: boolean): boolean =>
  followers !== null && followers >= (hadDeletes ? DELETES_UNTIL : INDEXED_FROM) && isIndexable(name);

/** Whether followers moved by more than a bin: smaller moves would rewrite the row at each reading. */
const isOtherBin = (before: number | null, after: number | null): boolean =>
  before === null || after === null ? before !== after : binOf(before) !== binOf(after);

/** The row of a handle with these followers, the same one if they are in the same bin and of the same account. */
const rowOf = (
  stream: string,
  known: HandleRow | null,
  followers: number | null,
  id: string | null,
): HandleRow | null => {
  const native_id = id ?? known?.native_id ?? null;
  // What is in a row depends on those before it, but not on those of a former owner.
  const before = known?.native_id != null && known.native_id !== native_id ? null : known;
  if (before?.native_id === native_id && !isOtherBin(before.followers, followers)) return before;
  const { platform, handle: named } = accountOf(stream);
  const handle = isInDirectory(platform) ? handleIn(platform, named) : null;
  if (handle === null) return null;
  const name = comparedName(platform, handle);
  return {
    platform,
    handle,
    native_id,
    followers,
    skeleton: before?.skeleton ?? skeletonOf(name),
    has_deletes: hasDeletes(name, followers, before?.has_deletes ?? false),
  };
};

const handlers = {
  AccountSighted: (state, { stream, data }) =>
    put(
      state,
      stream,
      rowOf(stream, state.rows.get(stream) ?? null, data.profile.followers, data.profile.id),
    ),
  AccountUnchanged: (state, { stream, data: { moved } }) => {
    const before = state.rows.get(stream) ?? null;
    if (before !== null && moved.followers !== undefined)
      put(state, stream, rowOf(stream, before, moved.followers, null));
  },
  AccountUnavailable: (state, { stream }) => put(state, stream, null),
  // The row of who has the handle now is what it was made of since it was taken over.
  AccountErased: (state, { stream, data: { since } }) => {
    if (since === null) put(state, stream, null);
  },
} satisfies Handlers<State>;

const apply = dispatch(handlers);

const deletesIn = (row: HandleRow | null): readonly DeleteRow[] => {
  if (row?.has_deletes !== true) return [];
  const { platform, handle } = row;
  return deleteHashes(comparedName(platform, handle)).map((hash) => ({ platform, hash, handle }));
};

const write = async (db: Queryable, schema: string, { rows, stored }: State): Promise<void> => {
  const changed = [...stored].map(([stream, before]) => ({ before, after: rows.get(stream) ?? null }));
  const moved = changed.filter(
    ({ before, after }) => (before?.has_deletes ?? false) !== (after?.has_deletes ?? false),
  );
  await deleteRows(
    db,
    schema,
    handleTable,
    changed.flatMap(({ before, after }) => (before !== null && after === null ? [before] : [])),
  );
  await deleteRows(
    db,
    schema,
    deleteTable,
    moved.flatMap(({ before }) => deletesIn(before)),
  );
  await writeAll(db, schema, [
    upserts(
      handleTable,
      changed.flatMap(({ after }) => (after === null ? [] : [after])),
    ),
    upserts(
      deleteTable,
      moved.flatMap(({ after }) => deletesIn(after)),
    ),
  ]);
};

const columnsOf = driverReader(handleTable);

/** Rows cached between batches, so that a busy account is not loaded again for each. */
const MAX_KEPT = 50_000;

const load = async (
  db: Queryable,
  schema: string,
  { rows }: State,
  events: readonly AppliedEvent[],
): Promise<void> => {
  const missing = [...new Set(events.map(({ stream }) => stream))].filter((stream) => !rows.has(stream));
  if (missing.length === 0) return;
  const named = missing.map(accountOf);
  const loaded = await loadRows(db, schema, handleTable, [
    {
      column: 'handle',
      platforms: named.map(({ platform }) => platform),
      values: named.map(({ handle }) => handle),
    },
  ]);
  for (const stream of missing) rows.set(stream, null);
  for (const raw of loaded) {
    const row = columnsOf<HandleRow>(raw);
    rows.set(accountStream(row.platform, row.handle), row);
  }
};

const open = (schema: string): Fold => {
  const state: State = { rows: new Map(), stored: new Map() };
  return {
    load: (db, events) => {
      // Only rows that have been written can be evicted.
      if (state.rows.size > MAX_KEPT && state.stored.size === 0) state.rows.clear();
      return load(db, schema, state, events);
    },
    apply: (event) => apply(state, event),
    store: async (db) => {
      await write(db, schema, state);
      state.stored.clear();
    },
    reset: () => {
      state.rows.clear();
      state.stored.clear();
    },
  };
};

/** Handles that accounts have, by what they look like and by what is left of them without a character or two. */
export const handles: Projection = {
  name: 'handles',
  version: versionPerPlatform(2),
  order: 'stream',
  types: typesOf(handlers),
  forgets: handlers.AccountErased,
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};
