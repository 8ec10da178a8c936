import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isRoot } from './chromium.ts';

const NOBODY = 65_534;

/** Options of a process that runs as an ordinary user: nothing unless the tests run as root. */
export const ORDINARY_USER: { readonly uid?: number; readonly gid?: number } = isRoot
  ? { uid: NOBODY, gid: NOBODY }
  : {};

/** Whether an ordinary user can read the project: Chromium has no sandbox for root. */
export const isReadable = (): boolean => {
  const module = fileURLToPath(new URL('../../src/crawlers/browser/chromium.ts', import.meta.url));
  if (!isRoot || spawnSync('test', ['-r', module], ORDINARY_USER).status === 0) return true;
  console.log('skipped: the project is not readable for other users, the sandbox is not tested');
  return false;
};
