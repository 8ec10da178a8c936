import { OperatorError } from '../../kernel/errors.ts';
import { type Db, onConnection } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { Projection } from '../projection.ts';
import {
  type Build,
  type BuildState,
  dropBuild,
  dropLeftovers,
  leaseOf,
  listBuilds,
  withBuildLock,
} from './builds.ts';
import { buildShadow, type ShadowBuildOptions } from './rebuild.ts';

/** A schema name that needs no quotes and that Postgres does not truncate. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/;
/** Names that Postgres reserves, or that look like generated build names. */
const TAKEN = /^pg_|_v\d+_b\d+$/;

const schemaExists = async (db: Db, schema: string): Promise<boolean> => {
  const { rowCount } = await db.query(sql`select from pg_namespace where nspname = ${schema}`);
  return rowCount !== 0;
};

/** @throws {OperatorError} if the name is invalid, reserved or taken. */
const checkCopyName = async (db: Db, schema: string): Promise<void> => {
  if (!NAME.test(schema)) {
    throw new OperatorError(
      'copy_name_invalid',
      `"${schema}" can't be the copy's name: use lower-case letters, digits and _, a letter first, at most 63 characters.`,
    );
  }
  if (TAKEN.test(schema))
    throw new OperatorError(
      'copy_name_invalid',
      `"${schema}" can't be the copy's name: such names are reserved.`,
    );
  // The server knows its reserved words.
  const { rows } = await db.query<{ plain: boolean }>(
    sql`select quote_ident(${schema}) = ${schema} as plain`,
  );
  if (rows[0]?.plain !== true) {
    throw new OperatorError(
      'copy_name_invalid',
      `"${schema}" can't be the copy's name: it is a reserved word of SQL. Choose another, for example copy_${schema}.`,
    );
  }
  if (!(await schemaExists(db, schema))) return;
  const isCopy = (await listBuilds(db)).some((build) => build.schema === schema && build.status === 'copy');
  throw new OperatorError(
    'copy_exists',
    isCopy
      ? `There is a copy in ${schema} already: drop it, or choose another name.`
      : `There is a schema ${schema} already: choose another name.`,
    { params: { schema, copy: String(isCopy) } },
  );
};

/**
 * Creates a copy of a projection as of a position. It is neither served nor kept up to date.
 * @throws {OperatorError} if the name can't be used or the log ends before the position.
 */
export const createPointInTimeCopy = (
  projection: Projection,
  to: bigint,
  schema: string,
  options: ShadowBuildOptions,
): Promise<Build> =>
  withBuildLock(options.db, projection, async () => {
    const { db, log } = options;
    const head = await log.head();
    if (to > head)
      throw new OperatorError(
        'position_beyond_head',
        `The log ends at position ${head}; position ${to} does not exist yet.`,
      );
    // Unfinished builds are dropped first: one of them may have this name.
    await dropLeftovers(db, projection);
    await checkCopyName(db, schema);
    const build = await buildShadow(projection, { to, schema }, options);
    await db.query(sql`update projections.builds set status = 'copy' where schema_name = ${schema}`);
    return { ...build, status: 'copy' };
  });

/** The reason to assume that a program needs the build; null if there is none. */
const inUseBy = (db: Db, { projection, version, schema, standsInFor }: BuildState): Promise<string | null> =>
  onConnection(db, async (client) => {
    const { kind, name } = leaseOf({ name: projection, version });
    const { rows } = await client.query<{ free: boolean; moved: boolean; replaced: boolean }>(sql`
      select pg_try_advisory_lock(${kind}, hashtext(${name})) as free, coalesce(
        (select max(updated_at) from projections.checkpoints
          where schema_name = ${schema}) > now() - interval '1 minute',
        false
      ) as moved, ${standsInFor}::int is null or exists (select from projections.builds b
        where b.projection = ${projection} and b.version >= ${standsInFor} and b.status = 'active') as replaced`);
    await client.query(sql`select pg_advisory_unlock_all()`);
    if (rows[0]?.free !== true) return 'a running program writes to it';
    if (!rows[0].replaced) return `it answers until version ${standsInFor} is built`;
    // Kafka consumers hold no lease.
    return rows[0].moved ? 'it was written to within the last minute' : null;
  });

/**
 * Drops a copy, or a build of another version that no running program uses.
 * @param known the versions of this program's projections.
 * @throws {OperatorError} if the build is unknown, active, newer or in use.
 */
export const dropBuildByName = async (
  db: Db,
  schema: string,
  known: readonly Projection[],
): Promise<Build> => {
  const find = async () => (await listBuilds(db)).find((candidate) => candidate.schema === schema);
  const found = await find();
  if (found === undefined) {
    throw new OperatorError('build_unknown', `There is no build of a read model in a schema ${schema}.`, {
      params: { schema },
    });
  }
  return withBuildLock(db, { name: found.projection }, async () => {
    const build = await find();
    if (build === undefined) return found;
    const own = known.find(({ name }) => name === build.projection);
    if (build.status === 'active' && own?.version === build.version) {
      throw new OperatorError(
        'build_served',
        `${schema} is the active build of ${build.projection} and can't be dropped.`,
      );
    }
    if (build.status === 'active' && own !== undefined && build.version > own.version) {
      throw new OperatorError(
        'build_newer',
        `${schema} belongs to a newer version of the program: drop it with that version.`,
      );
    }
    const why = build.status === 'active' ? await inUseBy(db, build) : null;
    if (why !== null) throw new OperatorError('build_in_use', `${schema} is in use: ${why}.`);
    await dropBuild(db, schema);
    return build;
  });
};

/** What a prune dropped, and what it left with the reason. */
export interface Pruned {
  readonly dropped: readonly Build[];
  readonly kept: readonly { readonly schema: string; readonly reason: string }[];
}

/**
 * Drops every build that nothing needs: of older versions, of read models that are no more, and those that crashes left. Copies and
 * builds of newer versions are not touched.
 * @param known the versions of this program's projections.
 */
export const pruneBuilds = async (db: Db, known: readonly Projection[]): Promise<Pruned> => {
  const dropped: Build[] = [];
  const kept: { schema: string; reason: string }[] = [];
  for (const build of await listBuilds(db)) {
    const own = known.find(({ name }) => name === build.projection)?.version ?? Number.POSITIVE_INFINITY;
    const isServed = build.status === 'active' && build.version === own;
    if (build.status === 'copy' || build.version > own || isServed) continue;
    try {
      dropped.push(await dropBuildByName(db, build.schema, known));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      kept.push({ schema: build.schema, reason: error.message });
    }
  }
  return { dropped, kept };
};
