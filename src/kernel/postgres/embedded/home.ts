import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../errors/operator-error.ts';

/** What only the owner of a home may read: its lock and its secrets. */
const privateFolderOf = (home: string): string => join(home, 'private');

export const lockFile = (home: string): string => join(privateFolderOf(home), 'lock');
export const ownerFile = (home: string): string => join(privateFolderOf(home), 'owner.json');
/** The password of the home's Postgres. */
export const passwordFile = (home: string): string => join(privateFolderOf(home), 'password');

const isOwn = (uid: number): boolean => process.getuid === undefined || uid === process.getuid();

/**
 * Makes a home, or finds it, with a folder in it that nobody else can enter: whoever could put files there could pose as
 * the process that runs the home.
 * @param passable whether Postgres runs as another user, who has to get through to its own folder.
 * @throws {OperatorError} where the folder is somebody else's, or no folder.
 */
export const prepareHome = async (home: string, passable: boolean): Promise<void> => {
  await mkdir(home, { recursive: true, mode: passable ? 0o711 : 0o700 });
  const found = await lstat(home);
  if (isOwn(found.uid)) await chmod(home, passable ? 0o711 : 0o700);
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
      `${folder} belongs to another user, who could read what is kept there: run Sightline as that user, or choose ` +
        'another folder with SIGHTLINE_HOME.',
    );
  }
  if ((inside.mode & 0o077) !== 0) await chmod(folder, 0o700);
};
