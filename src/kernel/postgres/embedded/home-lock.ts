import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { steadyMs } from '../../retry.ts';
import { lockFile, ownerFile } from './home.ts';

/** Published by the process that runs a home's Postgres. */
export interface Owner {
  readonly pid: number;
  /** A `service` runs until it is stopped, a `command` until it is done. */
  readonly role: 'service' | 'command';
  /** Port of its Postgres; null during start-up. */
  readonly port: number | null;
}

/** Ownership of a home, until released or the process ends. */
export interface HomeLock {
  ready(port: number): Promise<void>;
  release(): Promise<void>;
}

const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;

const OWN = 'begin exclusive';
/** Fails while another process owns the home, and for no other process that looks. */
const LOOK = 'begin; select 1 from sqlite_schema';

/**
 * Locks by a SQLite transaction, which the operating system ends when the process dies, on every platform. The file is
 * in a private folder and is never written to.
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

/** Takes ownership of a home; null if another process has it, or looks at this instant whether one has. */
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
    // Remove what a former owner published.
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

/** What the owner last published; null before that. */
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

/** Milliseconds between two looks. */
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
    // Read before the lock check: if the owner has gone by then, the lock is free.
    const owner = await wordOf(home);
    if (isFree(home)) return null;
    if (owner !== null && enough(owner)) return owner;
    if (steadyMs() > end) throw new Error(`no response from the owner of ${home} within ${timeoutMs} ms`);
  }
};
