/** The home folder: its private files, its lock, and what its owner publishes. */

import { chmod, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import { steadyMs } from '../../retry.ts';

/** Folder for the lock and secrets of a home, accessible only to its owner. */
const privateFolderOf = (home: string): string => join(home, 'private');

const lockFile = (home: string): string => join(privateFolderOf(home), 'lock');
const ownerFile = (home: string): string => join(privateFolderOf(home), 'owner.json');
/** The process that serves the home's API. */
export const apiProcessFile = (home: string): string => join(privateFolderOf(home), 'api-process');
/** The password of the home's Postgres. */
export const passwordFile = (home: string): string => join(privateFolderOf(home), 'password');

const isOwn = (uid: number): boolean => process.getuid === undefined || uid === process.getuid();

/**
 * Creates or checks a home and its private folder. Anyone who can write there could impersonate the process that runs the home.
 * @param passable whether Postgres runs as another user, which must be able to traverse the home.
 * @throws {OperatorError} if the home or the folder belongs to another user, or is not a folder.
 */
export const prepareHome = async (home: string, passable: boolean): Promise<void> => {
  await mkdir(home, { recursive: true, mode: passable ? 0o711 : 0o700 });
  const found = await stat(home);
  // The owner of the home could replace every folder in it, including one that belongs to another user.
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

/** Published by the process that runs the home's Postgres. */
export interface Owner {
  readonly pid: number;
  /** A `service` runs until it is stopped, a `command` until it is done. */
  readonly role: 'service' | 'command';
  /** Port of the process's Postgres; null during start-up. */
  readonly port: number | null;
}

/** Ownership of a home. It lasts until it is released or the process ends. */
export interface HomeLock {
  ready(port: number): Promise<void>;
  release(): Promise<void>;
}

const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;

const OWN = 'begin exclusive';
/** A lock for looking: it fails while another process owns the home, and excludes no other process that looks. */
const LOOK = 'begin; select 1 from sqlite_schema';

/**
 * Locks by a SQLite transaction. The operating system ends it when the process dies, on every platform. The file is in a private
 * folder and is never written to.
 * @returns null if another process has a lock that excludes this one.
 */
const tryLock = (file: string, how: typeof OWN | typeof LOOK): DatabaseSync | null => {
  const lock = new DatabaseSync(file);
  try {
    lock.exec(how);
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
};

/** Takes ownership of a home; null if another process owns it, or is checking at this instant whether it is owned. */
export const takeHome = async (home: string, role: Owner['role']): Promise<HomeLock | null> => {
  const lock = tryLock(lockFile(home), OWN);
  if (lock === null) return null;
  const file = ownerFile(home);
  const say = async (port: number | null): Promise<void> => {
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, JSON.stringify({ pid: process.pid, role, port } satisfies Owner), { mode: 0o600 });
    await rename(draft, file);
  };
  try {
    // Removes what a former owner published.
    await rm(file, { force: true });
    await say(null);
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    ready: say,
    release: async () => {
      await rm(file, { force: true });
      lock.close();
    },
  };
};

/** What the owner published last; null before it has published anything. */
const wordOf = async (home: string): Promise<Owner | null> => {
  const text = await readFile(ownerFile(home), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Owner);
};

const isFree = (home: string): boolean => {
  try {
    const lock = tryLock(lockFile(home), LOOK);
    lock?.close();
    return lock !== null;
  } catch (error) {
    // The home does not exist yet.
    if ((error as { errcode?: number }).errcode === SQLITE_CANTOPEN) return true;
    throw error;
  }
};

/** Milliseconds between two checks. */
export const LOOK_MS = 25;

/**
 * Polls the owner of a home until `enough` accepts its state or the owner is gone.
 * @returns the owner; null if there is none any more.
 */
export const askOwner = async (
  home: string,
  enough: (owner: Owner) => boolean,
  timeoutMs: number,
): Promise<Owner | null> => {
  for (const end = steadyMs() + timeoutMs; ; await sleep(LOOK_MS)) {
    // The state is read before the lock is checked: if the owner has gone by then, the lock is free.
    const owner = await wordOf(home);
    if (isFree(home)) return null;
    if (owner !== null && enough(owner)) return owner;
    if (steadyMs() > end) throw new Error(`no response from the owner of ${home} within ${timeoutMs} ms`);
  }
};
