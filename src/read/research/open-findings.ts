import type { Queryable } from '../../kernel/postgres/pool.ts';
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
  const { rows } = await db.query<LastFinding>(
    `select distinct on (kind, subject) id, run, kind, subject, status, created_at, reviewed_at
     from ${schema}.findings where greatest(created_at, reviewed_at) >= $1 order by kind, subject, position desc`,
    [since],
  );
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
  const { rows } = await db.query<OpenFinding>(
    `select f.id, f.run, f.kind, f.subject
     from unnest($1::text[], $2::text[]) as n (kind, subject)
     join ${schema}.findings f on f.subject = n.subject and f.kind = n.kind
     where f.status = 'open' and f.position < $3 order by f.position`,
    [of.map(({ kind }) => kind), of.map(({ subject }) => subject), String(before)],
  );
  return rows;
};

/** Runs whose process did not end them, oldest first. */
export const readUnfinishedRuns = async (db: Queryable, schema: string): Promise<readonly string[]> => {
  const { rows } = await db.query<{ run: string }>(
    `select run from ${schema}.runs where status = 'running' order by position`,
  );
  return rows.map(({ run }) => run);
};
