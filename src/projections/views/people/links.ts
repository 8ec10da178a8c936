import type { Queryable } from '../../../kernel/postgres/pool.ts';
import type { Changed } from './changes.ts';
import type { AccountRow, LinkedRow, LinkRow } from './tables.ts';

export interface LinkChanges {
  readonly added: readonly LinkRow[];
  readonly removed: readonly LinkRow[];
  /** What the changes add to the links of each target. */
  readonly linked: readonly LinkedRow[];
}

/** Links of one row that another one has not. */
const linksOf = (row: AccountRow | undefined, other: AccountRow | undefined): readonly LinkRow[] => {
  if (row === undefined) return [];
  const { platform, name, native_id, account } = row;
  return row.targets
    .filter((target) => other?.targets.includes(target) !== true)
    .map((target) => ({ target, platform, name, native_id, account }));
};

export const linkChanges = (changes: readonly Changed[]): LinkChanges => {
  const relinked = changes.filter(({ before, after }) => before?.targets !== after?.targets);
  const added = relinked.flatMap(({ before, after }) => linksOf(after, before));
  const removed = relinked.flatMap(({ before, after }) => linksOf(before, after));
  const linked = new Map<string, number>();
  for (const { target } of added) linked.set(target, (linked.get(target) ?? 0) + 1);
  for (const { target } of removed) linked.set(target, (linked.get(target) ?? 0) - 1);
  return { added, removed, linked: [...linked].map(([target, n]) => ({ target, n })) };
};

export const removeLinks = async (
  db: Queryable,
  schema: string,
  removed: readonly LinkRow[],
): Promise<void> => {
  if (removed.length === 0) return;
  await db.query({
    name: `delete ${schema}.links`,
    text: `delete from ${schema}.links where ctid = any(array(
             select l.ctid from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as k(target, platform, name, native_id)
             cross join lateral (select ctid from ${schema}.links where target = k.target and platform = k.platform
               and name = k.name and native_id = k.native_id offset 0) l))`,
    values: [
      removed.map(({ target }) => target),
      removed.map(({ platform }) => platform),
      removed.map(({ name }) => name),
      removed.map(({ native_id }) => native_id),
    ],
  });
};
