import { readdir, readFile } from 'node:fs/promises';

interface ProcessStatus {
  readonly pid: number;
  readonly parent: number;
  /** Anonymous and shared memory. */
  readonly ownBytes: number;
  /** Files, for the most part the program itself, which all its processes share. */
  readonly fileBytes: number;
}

const statusOf = async (pid: number): Promise<ProcessStatus | null> => {
  let text: string;
  try {
    text = await readFile(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    // It has ended since.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  const number = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    pid,
    parent: number('PPid'),
    ownBytes: (number('RssAnon') + number('RssShmem')) * 1024,
    fileBytes: number('RssFile') * 1024,
  };
};

/**
 * Resident memory of a process and its descendants in bytes; file pages, which they share, are counted once. Null
 * without procfs, or if the process has ended.
 */
export const treeMemoryBytes = async (root: number): Promise<number | null> => {
  if (process.platform !== 'linux') return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(statusOf))).filter((status) => status !== null);
  const tree = new Set([root]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  const own = all.filter(({ pid }) => tree.has(pid));
  if (own.length === 0) return null;
  return (
    own.reduce((sum, { ownBytes }) => sum + ownBytes, 0) + Math.max(...own.map(({ fileBytes }) => fileBytes))
  );
};
