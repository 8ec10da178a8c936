import { deleteHashes, editDistance, isComparable, MAX_EDITS, skeletonOf } from '../analysis/handles.ts';
import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { ident, raw, type Statement, sql } from '../kernel/postgres/statement.ts';
import { comparedName } from '../platforms/index.ts';
import { driverReader } from '../projections/table/table.ts';
import { type HandleRow, handleTable } from '../projections/views/handles/tables.ts';
import type { AccountKey } from './accounts.ts';
import type { Builds } from './active-builds.ts';
import type { FoundEntry } from './directory/entry.ts';

/** Maximum number of handles taken from one hash or skeleton. Only the shortest names and families of numbered ones have more. */
const MAX_OF_BUCKET = 1_000;
/** Handles that are taken of all hashes together. */
const MAX_CANDIDATES = 20_000;
/** Number of matches whose accounts are looked up together, and in all. Hardly any of them has another handle by now. */
const LOOKED_UP = 100;
const MAX_LOOKED_UP = 1_000;

/** A handle that looks like another one, or is spelled like it. */
export interface SimilarHandle {
  readonly handle: string;
  /** Edits between the names that are compared. */
  readonly distance: number;
  readonly isSkeletonEqual: boolean;
  /** Within the accuracy of a bin. */
  readonly followers: number | null;
}

export interface SimilarHandles {
  /** All matches, those with the fewest edits first, and among these the largest accounts. */
  readonly matches: readonly SimilarHandle[];
  /** Handles that were compared. */
  readonly compared: number;
  /** Whether there were more than may be compared. */
  readonly isCapped: boolean;
}

export interface SimilarAccount extends SimilarHandle {
  readonly found: FoundEntry;
}

/** The data of `SimilarHandles`, for accounts that still have their handles. */
export interface SimilarAccounts {
  readonly matches: readonly SimilarAccount[];
  readonly compared: number;
  readonly isCapped: boolean;
}

export interface SimilarHandleReads {
  /** Indexed handles with an equal skeleton or at most two edits away, without the handle itself. */
  of(platform: Platform, handle: string): Promise<SimilarHandles>;
  /** The first of these whose accounts the directory has under that handle: a renamed account keeps its former one for a while. */
  accounts(platform: Platform, handle: string, limit: number): Promise<SimilarAccounts>;
}

interface Read {
  readonly db: Queryable;
  readonly schema: string;
  readonly platform: Platform;
}

const rowOf = driverReader(handleTable);

type Sized = Pick<HandleRow, 'handle' | 'followers'>;

const sizedRows = async (
  { db, schema, platform }: Read,
  name: string,
  condition: Statement,
  limit: number,
): Promise<readonly Sized[]> => {
  const { rows } = await db.query<{ handle: unknown; followers: unknown }>(sql.named(
    `${schema} ${platform} ${name}`,
  )`
    select handle, followers from ${ident(schema)}.handles_${ident(platform)} where ${condition} limit ${raw(limit)}`);
  return rows.map((row) => rowOf<Sized>(row));
};

interface Candidates {
  readonly handles: ReadonlySet<string>;
  readonly isCapped: boolean;
}

/** Handles that have a deletion in common with a name. */
const candidatesOf = async ({ db, schema, platform }: Read, name: string): Promise<Candidates> => {
  if (!isComparable(name)) return { handles: new Set(), isCapped: false };
  const { rows } = await db.query<readonly [hash: string, handle: string]>(sql.named(
    `${schema} ${platform} deletes`,
    { rowMode: 'array' },
  )`
    select h.hash, c.handle from unnest(${deleteHashes(name)}::bigint[]) h(hash) cross join lateral (
    select handle from ${ident(schema)}.deletes_${ident(platform)} where platform = '${ident(platform)}'
      and hash = h.hash
    limit ${raw(MAX_OF_BUCKET + 1)}) c limit ${raw(MAX_CANDIDATES + 1)}`);
  const [handles, sizes] = [new Set<string>(), new Map<string, number>()];
  for (const [hash, handle] of rows.slice(0, MAX_CANDIDATES)) {
    const size = (sizes.get(hash) ?? 0) + 1;
    sizes.set(hash, size);
    if (size <= MAX_OF_BUCKET) handles.add(handle);
  }
  const isCapped = rows.length > MAX_CANDIDATES || [...sizes.values()].some((size) => size > MAX_OF_BUCKET);
  return { handles, isCapped };
};

const byDistance = (a: SimilarHandle, b: SimilarHandle): number =>
  a.distance - b.distance || (b.followers ?? -1) - (a.followers ?? -1) || (a.handle < b.handle ? -1 : 1);

const similarTo = async (read: Read, handle: string): Promise<SimilarHandles> => {
  const { platform } = read;
  const name = comparedName(platform, handle);
  const [{ handles, isCapped }, alike] = await Promise.all([
    candidatesOf(read, name),
    sizedRows(read, 'skeleton', sql`skeleton = ${skeletonOf(name)}`, MAX_OF_BUCKET + 1),
  ]);
  const looking = new Map(alike.slice(0, MAX_OF_BUCKET).map((row) => [row.handle, row]));
  const distances = new Map<string, number>();
  for (const candidate of new Set([...handles, ...looking.keys()])) {
    const distance = editDistance(name, comparedName(platform, candidate));
    if (candidate !== handle && (distance <= MAX_EDITS || looking.has(candidate)))
      distances.set(candidate, distance);
  }
  const others = [...distances.keys()].filter((candidate) => !looking.has(candidate));
  const near =
    others.length === 0
      ? []
      : await sizedRows(read, 'handles', sql`handle = any(${others}::text[])`, MAX_CANDIDATES + 1);
  const matches = [...looking.values(), ...near].flatMap((row) => {
    const distance = distances.get(row.handle);
    return distance === undefined ? [] : [{ ...row, distance, isSkeletonEqual: looking.has(row.handle) }];
  });
  return {
    matches: matches.toSorted(byDistance),
    compared: new Set([...handles, ...looking.keys()]).size,
    isCapped: isCapped || alike.length > MAX_OF_BUCKET,
  };
};

/** Look-ups of handles that may be mistaken for each other. */
export const createSimilarHandleReads = (
  db: Queryable,
  builds: Builds,
  entries: { find(key: AccountKey): Promise<FoundEntry | null> },
): SimilarHandleReads => {
  const of: SimilarHandleReads['of'] = (platform, handle) =>
    similarTo({ db, schema: builds.schema('handles'), platform }, handle);
  return {
    of,
    accounts: async (platform, handle, limit) => {
      const { matches, compared, isCapped } = await of(platform, handle);
      const held: SimilarAccount[] = [];
      const considered = matches.slice(0, MAX_LOOKED_UP);
      for (let from = 0; from < considered.length && held.length < limit; from += LOOKED_UP) {
        const some = considered.slice(from, from + LOOKED_UP);
        const found = await Promise.all(
          some.map((match) => entries.find({ platform, by: 'handle', value: match.handle })),
        );
        for (const [i, match] of some.entries()) {
          const entry = found[i] ?? null;
          if (entry !== null) held.push({ ...match, followers: entry.entry.followers, found: entry });
        }
      }
      const isCut = held.length < limit && matches.length > considered.length;
      return { matches: held.slice(0, limit).toSorted(byDistance), compared, isCapped: isCapped || isCut };
    },
  };
};
