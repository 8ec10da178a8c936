/** Other processes of the machine, as far as the operating system tells. */

import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The whole environment of child processes. The program's own environment has keys and passwords, which the user that runs the
 * database could read in /proc.
 */
export const CHILD_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const run = promisify(execFile);

/** Command line of a running process; null if there is none, or if it belongs to another user. */
export const commandOf = async (pid: number): Promise<string | null> => {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text.replaceAll('\0', ' ').trim(),
      () => null,
    );
  }
  return run('ps', ['-o', 'command=', '-p', String(pid)], { env: CHILD_ENVIRONMENT }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
};

/** Parent of a running process, on Linux; null if unknown. */
export const parentOf = async (pid: number): Promise<number | null> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The process name before it may contain any character, including parentheses.
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
};

/** Running processes, on Linux. */
const allPids = async (): Promise<readonly number[]> =>
  (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);

/** Children of a running process, on Linux; empty elsewhere. */
export const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const pids = await allPids();
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, i) => parents[i] === pid);
};

/** State of a listening socket in `/proc/net/tcp`. */
const LISTEN = '0A';

/** Inodes of the sockets that listen on a port. */
const socketsOn = async (port: number): Promise<ReadonlySet<string>> => {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  return new Set(
    rows.flatMap(([, local, , state, , , , , , inode]) =>
      local?.endsWith(`:${hex}`) === true && state === LISTEN && inode !== undefined ? [inode] : [],
    ),
  );
};

/** The process that listens on a port, on Linux; null if unknown, for example because it belongs to another user. */
export const listenerOn = async (port: number): Promise<number | null> => {
  const sockets = await socketsOn(port);
  if (sockets.size === 0) return null;
  for (const pid of await allPids()) {
    const folder = `/proc/${pid}/fd`;
    for (const file of await readdir(folder).catch(() => [])) {
      const target = await readlink(`${folder}/${file}`).catch(() => '');
      if (sockets.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')) return pid;
    }
  }
  return null;
};
