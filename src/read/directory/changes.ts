import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { descriptorOf } from '../../platforms/index.ts';
import { UNPARTITIONED } from '../../projections/projection.ts';
import { columnsExcept, rowSchemaOf } from '../../projections/table/table.ts';
import {
  CHANGE_KINDS,
  changedValuesSchema,
  changeTable,
  entryTable,
  historyTable,
} from '../../projections/views/directory/tables.ts';
import { emptyProfile, type FieldName, factsOf } from '../../write/accounts/profile.ts';
import type { Builds } from '../active-builds.ts';
import { columnList } from '../conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import { type ListReads, scan } from '../lists.ts';
import { ENTRY_COLUMNS, type FoundEntry, isWithheld } from './entry.ts';

export { CHANGE_KINDS, changedValuesSchema };

const positionSchema = z.object({ position: z.string(), n: z.number() });

/** Columns of a row besides its position. */
const CHANGE_COLUMNS = columnsExcept(changeTable, ['position', 'n']);

const changeSchema = positionSchema.extend(rowSchemaOf(changeTable, CHANGE_COLUMNS).shape);

type ChangeRow = z.output<typeof changeSchema>;

const changeOf = ({ n: _, entry: __, native_id: id, ...rest }: ChangeRow) => ({ id, ...rest });

export type DirectoryChange = ReturnType<typeof changeOf>;

export interface ChangeFilters {
  readonly platform?: Platform | undefined;
  readonly kind?: (typeof CHANGE_KINDS)[number] | undefined;
}

/** A page of changes, and the position after its last one, at which later changes begin. */
export interface ChangePage extends ListPage<DirectoryChange> {
  readonly resumeAt: CursorPosition;
}

/** Where a follower stands in the feed, and which erasures it need not be told of: it began after them. */
type FeedPosition = readonly [position: string, n: number, knownTo: string];

/** A cursor as a position. Those of a feed without erasures had none that it began after. */
const feedPosition = ([position, n, knownTo = '0']: CursorPosition): FeedPosition => [
  String(position),
  Number(n),
  String(knownTo),
];

/**
 * Position up to which no further change can appear: the lowest checkpoint of the writers of the directory, or that of one
 * platform. It is evaluated in the snapshot of the rows.
 */
const settledPosition = (schema: string, platform: Platform | undefined): FragmentSqlToken => {
  const own =
    platform === undefined ? sql.fragment`` : sql.fragment`and partition in (${platform}, ${UNPARTITIONED})`;
  return sql.fragment`(select min(c.position) from projections.checkpoints c where schema_name = ${schema} ${own})`;
};

/** Sorts after all changes of a position. */
const BEHIND = 2 ** 31 - 1;

/** The position at which the feed ends. */
const endOf = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform | undefined,
): Promise<FeedPosition> => {
  const settled = settledPosition(builds.schema('directory'), platform);
  const row = z.object({ position: z.string().nullable() });
  const [end] = await lists.any(sql.type(row)`select ${settled} as position`);
  return end === undefined || end.position === null ? ['0', -1, '0'] : [end.position, BEHIND, end.position];
};

/**
 * Checks that the feed still tells all erasures that came since a follower began.
 * @throws {ServiceError} `cursor_invalid` if it has taken one out: the follower may have the account for ever.
 */
const requireErasures = async (
  lists: ListReads,
  schema: string,
  { platform, kind = 'erased' }: ChangeFilters,
  [position, , knownTo]: FeedPosition,
): Promise<void> => {
  if (kind !== 'erased') return;
  const own = platform === undefined ? sql.fragment`` : sql.fragment`and platform = ${platform}`;
  const missed = await lists.any(sql.type(z.object({ position: z.string() }))`
    select position from ${sql.identifier([schema, 'changes'])}
    where kind = 'erased' and position > greatest(${position}::bigint, ${knownTo}::bigint) ${own}
      and not exists (select from erasure.open o where o.subject = after #>> '{}') limit 1`);
  if (missed.length === 0) return;
  throw new ServiceError(
    'cursor_invalid',
    'Accounts were erased since, and the feed tells it for 30 days. Drop the copy, and restart without `cursor`.',
    { details: [{ path: 'query.cursor', message: 'older than an erasure that the feed no longer tells' }] },
  );
};

const erasedSchema = z.object({
  subject: z.string(),
  id: z.string().nullable(),
  handle: z.string().nullable(),
});

/** Names the accounts of the changes that tell of an erasure, which have a digest, and leaves out those that nothing names any more. */
const withErased = async (
  lists: ListReads,
  changes: readonly DirectoryChange[],
): Promise<readonly DirectoryChange[]> => {
  const subjects = changes.flatMap(({ kind, after }) => (kind === 'erased' ? [String(after)] : []));
  if (subjects.length === 0) return changes;
  const rows = await lists.any(sql.type(erasedSchema)`
    select subject, native_id as id, case when native_id is null then handles[1] end as handle
    from erasure.open where subject = any(${sql.array(subjects, 'text')})`);
  const named = new Map(rows.map(({ subject, ...account }) => [subject, account]));
  return changes.flatMap((change) => {
    if (change.kind !== 'erased') return change;
    const account = named.get(String(change.after));
    return account === undefined ? [] : { ...change, ...account, after: null };
  });
};

/** Kinds of changes whose values are of the profile. */
const VALUED: ReadonlySet<string> = new Set(['profile', 'discovered']);
const OF_VALUES: ReadonlySet<string> = new Set(['verified', 'unverified', 'jumped']);

const NO_FACTS = factsOf(emptyProfile(''));

/** Values of a change, without those of the profile. */
const emptied = (values: ChangeRow['after']): ChangeRow['after'] =>
  typeof values !== 'object' || values === null
    ? values
    : Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          name in NO_FACTS ? NO_FACTS[name as FieldName] : value,
        ]),
      );

/** Changes without the values of accounts that ask not to be shown to strangers: a copy learns that it is to have none. */
const withoutWithheld = async (
  lists: ListReads,
  schema: string,
  rows: readonly ChangeRow[],
): Promise<readonly ChangeRow[]> => {
  const asked = rows.filter(({ platform }) => descriptorOf(platform).hasOptOuts === true);
  const entries = asked.flatMap(({ entry }) => entry ?? []);
  if (entries.length === 0) return rows;
  const found = await lists.any(sql.type(rowSchemaOf(entryTable, ENTRY_COLUMNS))`
    select ${columnList(ENTRY_COLUMNS)} from ${sql.identifier([schema, 'entries'])}
    where platform = any(${sql.array([...new Set(asked.map(({ platform }) => platform))], 'text')})
      and entry = any(${sql.array([...new Set(entries)], 'int8')})`);
  const withheld = new Set(found.filter(isWithheld).map(({ entry }) => entry));
  return rows.flatMap((row) => {
    if (row.entry === null || !withheld.has(row.entry)) return row;
    if (OF_VALUES.has(row.kind)) return [];
    return VALUED.has(row.kind) ? { ...row, before: emptied(row.before), after: emptied(row.after) } : row;
  });
};

/**
 * Changes of the directory's accounts, in log order. Writers of different platforms advance independently. A change is served once
 * all of them have passed its position, so that none appears behind a cursor.
 * @param from a cursor; null for the first change; `now` for an empty page after which later changes follow.
 * @throws {ServiceError} `cursor_invalid` for a cursor that is older than an erasure that the feed no longer tells.
 */
export const listChanges = async (
  lists: ListReads,
  builds: Builds,
  filters: ChangeFilters,
  limit: number,
  from: CursorPosition | 'now' | null,
  maxScanned?: number,
): Promise<ChangePage> => {
  const schema = builds.schema('directory');
  const movedAtMs = builds.progress('directory')?.movedAtMs ?? null;
  const end = from === 'now' || from === null ? await endOf(lists, builds, filters.platform) : null;
  if (end !== null && from === 'now') return { items: [], next: null, oldestMs: movedAtMs, resumeAt: end };
  const start: FeedPosition = end === null ? feedPosition(from as CursorPosition) : ['0', -1, end[2]];
  if (end === null) await requireErasures(lists, schema, filters, start);
  const within = [sql.fragment`position <= ${settledPosition(schema, filters.platform)}`];
  if (filters.platform !== undefined) within.push(sql.fragment`platform = ${filters.platform}`);
  const [after, nth, knownTo] = start;
  if (end === null) within.push(sql.fragment`(position, n) > (${after}::bigint, ${nth})`);
  const of = {
    table: sql.fragment`${sql.identifier([schema, 'changes'])}`,
    ranked: sql.fragment``,
    rowPosition: sql.fragment`position, n`,
    columns: CHANGE_COLUMNS,
    row: changeSchema,
    at: positionSchema,
    within,
    filters: filters.kind === undefined ? [] : [sql.fragment`kind = ${filters.kind}`],
    order: sql.fragment`position, n`,
    orderByName: sql.fragment`position, n`,
  };
  const { rows, end: scannedTo } = await scan(lists, of, limit, maxScanned);
  const positionOf = (row: z.output<typeof positionSchema>): FeedPosition => [row.position, row.n, knownTo];
  const page = pageOf(rows, limit, {
    item: (row) => row,
    position: positionOf,
    observedMs: () => movedAtMs,
  });
  const next = page.next ?? (scannedTo === null ? null : positionOf(scannedTo));
  const last = rows.at(-1);
  return {
    ...page,
    items: await withErased(lists, (await withoutWithheld(lists, schema, page.items)).map(changeOf)),
    next,
    resumeAt: next ?? (last === undefined ? start : positionOf(last)),
  };
};

const HISTORY_COLUMNS = columnsExcept(historyTable, ['platform', 'entry']);

const historySchema = rowSchemaOf(historyTable, HISTORY_COLUMNS);

export type HistoryPoint = z.output<typeof historySchema>;

/** History of an entry, newest first. */
export const listHistory = async (
  lists: ListReads,
  builds: Builds,
  found: FoundEntry,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<HistoryPoint>> => {
  if (isWithheld(found.entry)) return { items: [], next: null, oldestMs: Date.parse(found.last_seen_at) };
  const table = sql.identifier([builds.schema('directory'), `history_${found.entry.platform}`]);
  const before =
    after === null ? sql.fragment`true` : sql.fragment`at < ${isoOf(Number(after[0]))}::timestamptz`;
  const rows = await lists.any(sql.type(historySchema)`
    select ${columnList(HISTORY_COLUMNS)} from ${table}
    where platform = ${found.entry.platform} and entry = ${found.key}::bigint and ${before}
    order by at desc limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: (row) => row,
    position: (row) => [Date.parse(row.at)],
    observedMs: () => Date.parse(found.last_seen_at),
  });
};
