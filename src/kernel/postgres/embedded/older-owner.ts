import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from '../../errors/operator-error.ts';
import { parentOf } from '../../processes.ts';
import { serverFiles } from './server.ts';

/** Whether a process listens on the socket that versions before 0.2 used as a lock. */
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

/** Parent of the process that runs the home's Postgres; null if there is none. */
const parentOfServer = async (home: string): Promise<number | null> => {
  const { data } = await serverFiles(home);
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  return pid > 0 ? parentOf(pid) : null;
};

/**
 * Rejects a home that an older version runs: its lock is a different one, and its Postgres would be taken for an
 * orphan. The socket alone is not trusted; a Postgres of the home must also run below another process.
 * @throws {OperatorError} if an older version runs.
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
