import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from '../../errors/operator-error.ts';
import { serverFiles } from './server.ts';

/** Whether anybody listens where versions before 0.2 had their lock. */
const isListening = (home: string): Promise<boolean> =>
  new Promise((resolve) => {
    const name = `sightline-${createHash('sha256').update(home).digest('hex').slice(0, 32)}`;
    const socket = connect(`\0${name}`);
    const settle = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });

/** The parent of the process that runs the home's Postgres; null where none does. */
const parentOfServer = async (home: string): Promise<number | null> => {
  const { data } = await serverFiles(home);
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  if (!(pid > 0)) return null;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name before it may hold anything, parentheses too.
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
};

/**
 * An older version that runs the home has a lock that this one does not look at, and its Postgres would be taken for a
 * leftover. What listens in its place is only believed where a Postgres of the home runs below another process.
 * @throws {OperatorError} where one runs.
 */
export const refuseOlderOwner = async (home: string): Promise<void> => {
  if (process.platform !== 'linux' || !(await isListening(home))) return;
  const parent = await parentOfServer(home);
  if (parent === null || parent === 1 || parent === process.pid) return;
  throw new OperatorError(
    'home_in_use',
    `An older Sightline runs in ${home} (process ${parent}). Stop it first, then start this version.`,
  );
};
