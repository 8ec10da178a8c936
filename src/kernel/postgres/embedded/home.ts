import { chmod, lstat, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../errors/operator-error.ts';

/** Accessible only to the owner of a home: its lock and secrets. */
const privateFolderOf = (home: string): string => join(home, 'private');

export const lockFile = (home: string): string => join(privateFolderOf(home), 'lock');
export const ownerFile = (home: string): string => join(privateFolderOf(home), 'owner.json');
/** The process that serves the home's API. */
export const apiProcessFile = (home: string): string => join(privateFolderOf(home), 'api-process');
/** The password of the home's Postgres. */
export const passwordFile = (home: string): string => join(privateFolderOf(home), 'password');

const isOwn = (uid: number): boolean => process.getuid === undefined || uid === process.getuid();

/**
 * Creates or checks a home with its private folder: who can write there could impersonate the process that runs the
 * home.
 * @param passable whether Postgres runs as another user, which must be able to traverse the home.
 * @throws {OperatorError} if one of both belongs to another user, or is not a folder.
 */
export const prepareHome = async (home: string, passable: boolean): Promise<void> => {
  await mkdir(home, { recursive: true, mode: passable ? 0o711 : 0o700 });
  const found = await stat(home);
  // Its owner could replace every folder in it, also one that is not theirs.
  if (!isOwn(found.uid)) {
    throw new OperatorError(
      'home_unusable',
      `SIGHTLINE_HOME (${home}) belongs to another user (uid ${found.uid}), who could replace what is in it: run ` +
        'Sightline as that user, change its owner (chown), or choose another folder with SIGHTLINE_HOME.',
    );
  }
  await chmod(home, passable ? 0o711 : 0o700);
  const folder = privateFolderOf(home);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    throw new OperatorError(
      'home_unusable',
      `SIGHTLINE_HOME (${home}) can't be written to: ${error.message}`,
      {
        cause: error,
      },
    );
  });
  const inside = await lstat(folder);
  if (!inside.isDirectory() || !isOwn(inside.uid)) {
    throw new OperatorError(
      'home_unusable',
      `${folder} belongs to another user, who could read its secrets: run Sightline as that user, or choose ` +
        'another folder with SIGHTLINE_HOME.',
    );
  }
  if ((inside.mode & 0o077) !== 0) await chmod(folder, 0o700);
};
