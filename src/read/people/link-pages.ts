import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { linkPageIn, pageTarget } from '../../write/people/account.ts';

/**
 * Addresses of link pages that profiles link to and that were read before an instant, or never, but for some.
 * @param schema of the build of `people`.
 */
export const readDueLinkPages = async (
  db: Queryable,
  schema: string,
  {
    before,
    but,
    limit,
  }: { readonly before: string; readonly but: readonly string[]; readonly limit: number },
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ page: string }>(sql.named(`due pages of ${schema}`)`
    select p.page from ${ident(schema)}.pages p
    where (p.read_at is null or p.read_at < ${before}) and p.page <> all(${but.map(pageTarget)}::text[])
      and exists (select from ${ident(schema)}.links l where l.target = p.page)
    order by p.read_at nulls first limit ${limit}`);
  return rows.flatMap(({ page }) => linkPageIn(page) ?? []);
};
