import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import type { FindingKind } from '../../write/research/events.ts';

/** The last finding of a kind about a subject. */
export interface LastFinding {
  readonly id: string;
  readonly run: string;
  readonly kind: FindingKind;
  readonly subject: string;
  readonly status: 'open' | 'confirmed' | 'dismissed' | 'superseded';
  readonly created_at: string;
  readonly reviewed_at: string | null;
}

/** The last findings by kind and subject, of those that were recorded or reviewed since an instant. @param schema of the read model of research. */
export const readLastFindings = async (
  db: Queryable,
  schema: string,
  since: Date,
): Promise<readonly LastFinding[]> => {
  const { rows } = await db.query<LastFinding>(sql`
    select distinct on (kind, subject) id, run, kind, subject, status, created_at, reviewed_at
    from ${ident(schema)}.findings where greatest(created_at, reviewed_at) >= ${since} order by kind, subject,
      position desc`);
  return rows;
};

/** A finding without a review. */
export type OpenFinding = Pick<LastFinding, 'id' | 'run' | 'kind' | 'subject'>;

/** Open findings of kinds and subjects that were recorded before a position of the log, however old. */
export const readOpenFindings = async (
  db: Queryable,
  schema: string,
  of: readonly Pick<OpenFinding, 'kind' | 'subject'>[],
  before: bigint,
): Promise<readonly OpenFinding[]> => {
  const { rows } = await db.query<OpenFinding>(sql`
    select f.id, f.run, f.kind, f.subject
    from unnest(${of.map(({ kind }) => kind)}::text[], ${of.map(({ subject }) => subject)}::text[]) as n (kind,
      subject)
    join ${ident(schema)}.findings f on f.subject = n.subject and f.kind = n.kind
    where f.status = 'open' and f.position < ${String(before)} order by f.position`);
  return rows;
};

/** Runs whose process did not end them, oldest first. */
export const readUnfinishedRuns = async (db: Queryable, schema: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ run: string }>(
    sql`select run from ${ident(schema)}.runs where status = 'running' order by position`,
  );
  return rows.map(({ run }) => run);
};
