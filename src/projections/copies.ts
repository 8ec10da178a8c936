import { UsageError } from '../kernel/errors.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import { type AsideOptions, makeAside } from './aside.ts';
import { type Build, dropBuild, listBuilds } from './builds.ts';
import { dropLeftovers, exclusively } from './exclusive.ts';
import type { Projection } from './projection.ts';

/** A schema's name that needs no quotes, as long as Postgres keeps it. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/;
/** Names that are Postgres's own, or of builds that are served. */
const TAKEN = /^pg_|_v\d+_b\d+$/;

const schemaExists = async (db: Db, schema: string): Promise<boolean> => {
  const { rowCount } = await db.query('select from pg_namespace where nspname = $1', [schema]);
  return rowCount !== 0;
};

/** @throws {UsageError} where a copy can't be made under that name. */
const checkName = async (db: Db, schema: string): Promise<void> => {
  if (!NAME.test(schema)) {
    throw new UsageError(
      `"${schema}" can't be the copy's name: write small letters, digits and _, a letter first, 63 at the most.`,
    );
  }
  if (TAKEN.test(schema))
    throw new UsageError(`"${schema}" can't be the copy's name: such names are reserved.`);
  if (!(await schemaExists(db, schema))) return;
  const isCopy = (await listBuilds(db)).some((build) => build.schema === schema && build.status === 'copy');
  throw new UsageError(
    isCopy
      ? `There is a copy in ${schema} already. Choose another name with --into, or drop it: sightline projections drop ${schema}`
      : `There is a schema ${schema} already: choose another name with --into.`,
  );
};

/**
 * Makes a copy of a projection as it stood at a position, which nobody serves or follows.
 * @throws {UsageError} where the name is no good or the log does not go so far.
 */
export const makeCopy = (
  projection: Projection,
  to: bigint,
  schema: string,
  options: AsideOptions,
): Promise<Build> =>
  exclusively(options.db, projection, async () => {
    const { db, log } = options;
    const head = await log.head();
    if (to > head) throw new UsageError(`The log ends at position ${head}: there is no ${to} yet.`);
    // First what was left half done, perhaps under this very name.
    await dropLeftovers(db, projection);
    await checkName(db, schema);
    const build = await makeAside(projection, { to, schema }, options);
    await db.query(`update projections.builds set status = 'copy' where schema_name = $1`, [schema]);
    return { ...build, status: 'copy' };
  });

/** Whether a program that was written for a version keeps its build just now: it holds the version's lease. */
const isKept = async (db: Db, { projection, version }: Build): Promise<boolean> => {
  const client = await db.connect();
  try {
    const { rows } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_lock(7203116, hashtext($1)) as free',
      [`${projection} ${version}`],
    );
    await client.query('select pg_advisory_unlock_all()');
    return rows[0]?.free !== true;
  } finally {
    client.release();
  }
};

/**
 * Drops a copy, or a build of another version that no running program keeps.
 * @param known the versions that this program was written for.
 * @throws {UsageError} where it is neither.
 */
export const dropByName = async (db: Db, schema: string, known: readonly Projection[]): Promise<Build> => {
  const find = async () => (await listBuilds(db)).find((candidate) => candidate.schema === schema);
  const found = await find();
  if (found === undefined) {
    throw new UsageError(
      `${schema} is no build of a read model. They are listed by: sightline projections list`,
    );
  }
  return exclusively(db, { name: found.projection }, async () => {
    const build = await find();
    if (build === undefined) return found;
    const own = known.find(({ name }) => name === build.projection);
    if (build.status === 'active' && own?.version === build.version) {
      throw new UsageError(`${schema} is what ${build.projection} is served from: it is not dropped.`);
    }
    if (build.status === 'active' && own !== undefined && build.version > own.version) {
      throw new UsageError(`${schema} belongs to a newer program than this one: drop it with that.`);
    }
    if (build.status === 'active' && (await isKept(db, build))) {
      throw new UsageError(
        `${schema} is kept by a program that runs, of version ${build.version} of ${build.projection}: stop that first.`,
      );
    }
    await dropBuild(db, schema);
    return build;
  });
};
