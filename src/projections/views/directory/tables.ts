import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { ACCOUNT_STATUSES } from '../../../write/accounts/account.ts';
import {
  type Aged,
  FIELD_NAMES,
  type FieldName,
  HISTORY_FIELDS,
  type Holding,
  type Profile,
  perField,
  REPORTED_FIELDS,
  valueTimesSchema,
} from '../../../write/accounts/profile.ts';
import { searchedIn, searchedWords, wordKey } from '../../../write/people/names.ts';
import { defineSums } from '../../table/bulk.ts';
import {
  bool,
  type Column,
  createTables,
  defineTable,
  instant,
  int4,
  int8,
  json,
  name,
  nullable,
  type RowOf,
  text,
  wideInt8,
} from '../../table/table.ts';

const texts = z.array(z.string()) as z.ZodType<readonly string[]>;

const entry = {
  platform: name(platformSchema),
  /** Position of the event that created the entry: identical in every build. */
  entry: wideInt8(),
};

const COLUMNS: Readonly<Record<Holding, () => Column<unknown>>> = {
  text: () => nullable(text()),
  count: () => nullable(int8()),
  flag: () => nullable(bool()),
  instant: () => nullable(instant()),
  texts: () => json(texts),
};

/** A column for each of some fields of profiles. */
const columnsOf = <Name extends FieldName>(names: readonly Name[]) =>
  perField(names, ({ holds }) => COLUMNS[holds]()) as { readonly [Each in Name]: Column<Profile[Each]> };

/** An account of the directory. It keeps its entry through renames. */
export const entryTable = defineTable(
  'entries',
  {
    ...entry,
    /** Null if the account has none, or if another account took it over and the new one is unknown. */
    handle: nullable(name()),
    native_id: nullable(name()),
    ...columnsOf(FIELD_NAMES),
    first_seen_at: instant(),
    last_seen_at: instant(),
    /** Values that are older than `last_seen_at`, with their times; null if none is. */
    kept: nullable(json(valueTimesSchema)),
    /** The last reading, conclusive or not. */
    observed_at: instant(),
    status: text(z.enum(ACCOUNT_STATUSES)),
    previous_handles: json(texts),
    /** Entries without an ID that turned out to be of this account; null if there are none. */
    absorbed: nullable(json(texts)),
    /** Handle and words of the name, each after a space, as searches compare them. */
    words: name(),
    /**
     * Followers at the last sighting minus those of the newest sample at least 7 or 30 days older; null if that sighting did not
     * show them.
     */
    growth_7d: nullable(int8()),
    growth_30d: nullable(int8()),
    /** Daily follower samples for growth, as comma-separated `day:followers`; days since 1970. */
    growth_samples: text(),
  },
  { key: ['platform', 'entry'], platforms: DIRECTORY_PLATFORMS },
);
export type EntryRow = RowOf<typeof entryTable>;

/**
 * The name of a stream whose account is now in another entry: the account that had the name last, unless another one has it now.
 * For an account without a handle, whose stream is named by its ID, there is always a row.
 */
export const formerNameTable = defineTable(
  'former_names',
  {
    platform: name(platformSchema),
    name: name(),
    entry: wideInt8(),
    /**
     * What the stream showed last, which its `AccountUnchanged` events refer to; null if its last reading found nothing. It may
     * differ from the entry, which other names have updated since.
     */
    shown: nullable(json(z.custom<Aged>())),
  },
  { key: ['platform', 'name'], platforms: DIRECTORY_PLATFORMS },
);
export type FormerNameRow = RowOf<typeof formerNameTable>;

/**
 * A word of a name, or a whole name of several words, after a space. In byte order, so that the beginning of a word is a
 * range of the index, of which a search reads no more than it needs.
 */
export const wordTable = defineTable(
  'words',
  { ...entry, word: name() },
  { key: ['platform', 'entry', 'word'] },
);
export type WordRow = RowOf<typeof wordTable>;

/** Host and path of links in canonical form, so that equal pages compare equal. */
export const linkTable = defineTable(
  'links',
  { ...entry, link: name() },
  { key: ['platform', 'entry', 'link'] },
);
export type LinkRow = RowOf<typeof linkTable>;

/** A past state of an account, with the values that its reading showed: the first of each day, and each that found a change. */
export const historyTable = defineTable(
  'history',
  { ...entry, at: instant(), handle: nullable(text()), ...columnsOf(HISTORY_FIELDS) },
  { key: ['platform', 'entry', 'at'], platforms: DIRECTORY_PLATFORMS },
);
export type HistoryRow = RowOf<typeof historyTable>;

export const CHANGE_KINDS = [
  'discovered',
  'renamed',
  'suspended',
  'deactivated',
  'absent',
  'private',
  'public',
  'restored',
  'verified',
  'unverified',
  'jumped',
  'profile',
  'erased',
] as const;

const CHANGED: Readonly<Record<Holding, z.ZodType>> = {
  text: z.string().nullable(),
  count: z.number().nullable(),
  flag: z.boolean().nullable(),
  instant: z.string().nullable(),
  texts,
};
const changedShape = perField(REPORTED_FIELDS, ({ holds }) => CHANGED[holds].optional()) as {
  [Name in (typeof REPORTED_FIELDS)[number]]: z.ZodOptional<z.ZodType<Profile[Name]>>;
};

/** The values that a change lists: all of them when the entry is discovered, later those that changed. */
export const changedValuesSchema = z.strictObject({
  id: z.string().nullable().optional(),
  handle: z.string().nullable().optional(),
  status: z.enum(ACCOUNT_STATUSES).optional(),
  verified: z.boolean().nullable().optional(),
  ...changedShape,
});

const changedValue = z.union([z.string(), z.number(), z.boolean(), changedValuesSchema]);

/** A change of an account, for those who mirror the directory. */
export const changeTable = defineTable(
  'changes',
  {
    position: wideInt8(),
    /** Ordinal within one event's changes: -1 of an account that loses the handle, others from 0 on. */
    n: int4(),
    at: instant(),
    platform: name(platformSchema),
    /** Null of the change that tells of an erasure: it names nobody. */
    entry: nullable(wideInt8()),
    /** Null if unknown. */
    native_id: nullable(text()),
    handle: nullable(text()),
    kind: text(z.enum(CHANGE_KINDS)),
    before: nullable(json(changedValue)),
    after: nullable(json(changedValue)),
  },
  { key: ['position', 'n'] },
);
export type ChangeRow = RowOf<typeof changeTable>;

/** Number of accounts by status and size. */
export const statusCountTable = defineSums(
  'status_counts',
  { platform: name(platformSchema), status: name(z.enum(ACCOUNT_STATUSES)), band: name(), n: int8() },
  { key: ['platform', 'status', 'band'], sums: ['n'] },
);
export type StatusCountRow = RowOf<typeof statusCountTable>;

/** Number of accounts by the time of their oldest shown value, in slots of five minutes since 1970. */
export const freshnessTable = defineSums(
  'freshness',
  { platform: name(platformSchema), slot: int4(), n: int8() },
  { key: ['platform', 'slot'], sums: ['n'] },
);
export type FreshnessRow = RowOf<typeof freshnessTable>;

export const SLOT_MS = 300_000;

/** Size bands by minimum followers, for statistics and the API's documentation. */
const BANDS = [
  ['10m_up', 10_000_000],
  ['1m_10m', 1_000_000],
  ['100k_1m', 100_000],
  ['10k_100k', 10_000],
  ['1k_10k', 1_000],
  ['0_1k', 0],
] as const;

export const bandOf = (followers: number | null): string =>
  followers === null ? 'unknown' : (BANDS.find(([, min]) => followers >= min)?.[0] ?? 'unknown');

/** Ranks unknown numbers last: below any real count or growth. */
export const UNKNOWN_RANK = '-9000000000000000';
/** Sorts after every handle: accounts without one come last. */
export const NO_HANDLE = 'chr(1114111)';

/** Sort keys of entries. Readers repeat the expressions of the indexes verbatim. */
export const ENTRY_SORT_KEYS = {
  followers: `coalesce(followers, ${UNKNOWN_RANK})`,
  growth_7d: `coalesce(growth_7d, ${UNKNOWN_RANK})`,
  growth_30d: `coalesce(growth_30d, ${UNKNOWN_RANK})`,
  recent: 'last_seen_at',
  handle: `coalesce(handle, ${NO_HANDLE})`,
} as const;

export const tables = (schema: string): string => `
${createTables(schema, [entryTable, formerNameTable, historyTable, wordTable, linkTable, changeTable, statusCountTable, freshnessTable])}
create index on ${schema}.entries (handle);
create index on ${schema}.entries (native_id);
create index on ${schema}.former_names (name);
`;

/**
 * Entries that match rare filters: each filter has indexes of its own in every sort order. Readers repeat the predicates verbatim.
 */
export const RARE_ENTRIES = { verified: 'verified', status: "status <> 'active'" } as const;

const sortIndexes = (schema: string): readonly string[] =>
  [
    `${ENTRY_SORT_KEYS.followers} desc, entry desc`,
    `${ENTRY_SORT_KEYS.growth_7d} desc, entry desc`,
    `${ENTRY_SORT_KEYS.growth_30d} desc, entry desc`,
    `${ENTRY_SORT_KEYS.recent} desc, entry desc`,
    `${ENTRY_SORT_KEYS.handle}, entry`,
  ].flatMap((order) => [
    // The index of followers includes the column, so that counting visits no rows.
    `create index on ${schema}.entries (${order})${order.includes('followers') ? ' include (followers)' : ''};`,
    `create index on ${schema}.entries (${order}) where ${RARE_ENTRIES.verified};`,
    `create index on ${schema}.entries (status, ${order}) where ${RARE_ENTRIES.status};`,
  ]);

/** Indexes by sort order. Within a platform's partition, the platform needs no column. */
export const indexes = (schema: string): string => `
create index on ${schema}.changes (position) where kind = 'erased';
${sortIndexes(schema).join('\n')}
create index on ${schema}.entries (status, ${ENTRY_SORT_KEYS.recent} desc, entry desc) where ${RARE_ENTRIES.verified} and ${RARE_ENTRIES.status};
create index on ${schema}.entries (created_at);
create index on ${schema}.words (word, platform, entry);
create index on ${schema}.links (link);
create index on ${schema}.changes (platform, position, n);
create index on ${schema}.changes (entry);
`;

/** Number of words per entry that searches find. Hardly any name has more. */
const MAX_WORDS = 24;

/** Handle and words of a name, each after a space. */
export const wordsOfEntry = (handle: string | null, displayName: string | null): string => {
  const words = searchedWords([{ handle, displayName }]);
  let end = 0;
  for (let n = 0; n < MAX_WORDS && end !== -1; n++) end = words.indexOf(' ', end + 1);
  return end === -1 ? words : words.slice(0, end);
};

/** What the index has of a name: its words, and all of them after a space if there are several, as no word begins. */
export const wordKeys = (displayName: string | null): readonly string[] => {
  const { written, romanised } = searchedIn(displayName);
  const words = written.slice(0, MAX_WORDS);
  const whole = words.length < 2 ? [] : [wordKey(` ${words.join(' ')}`)];
  return [...new Set([...romanised.slice(0, MAX_WORDS), ...words, ...whole].map(wordKey))];
};

/** A whole name as the index has it. */
export const nameKey = (displayName: string | null): string | undefined => wordKeys(displayName).at(-1);
