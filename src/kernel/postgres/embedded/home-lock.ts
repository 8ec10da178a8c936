import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFile, ownerFile } from './home.ts';

/** What the process that runs a home's Postgres says of itself. */
export interface Owner {
  readonly pid: number;
  /** A `service` runs until it is stopped, a `command` for as long as it takes. */
  readonly role: 'service' | 'command';
  /** Port of its Postgres; null while that starts. */
  readonly port: number | null;
}

/** This process owns the home until it releases it or ends, however it ends. */
export interface HomeLock {
  ready(port: number): Promise<void>;
  release(): Promise<void>;
}

const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;

/**
 * An exclusive transaction of SQLite is a lock that the system lets go of when its holder dies, on every platform, and
 * its file is in a folder that nobody else can enter. Nothing is ever written to it.
 * @returns null where another process has it.
 */
const tryLock = (file: string): DatabaseSync | null => {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
};

/** Takes the home, or returns null where another process has it. */
export const takeHome = async (home: string, role: Owner['role']): Promise<HomeLock | null> => {
  const lock = tryLock(lockFile(home));
  if (lock === null) return null;
  const file = ownerFile(home);
  const say = async (port: number | null): Promise<void> => {
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, JSON.stringify({ pid: process.pid, role, port } satisfies Owner), { mode: 0o600 });
    await rename(draft, file);
  };
  try {
    // What the owner before left there is not to be taken for this one's word.
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

/** What the owner last said; null where it has said nothing yet. */
const wordOf = async (home: string): Promise<Owner | null> => {
  const text = await readFile(ownerFile(home), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Owner);
};

const isFree = (home: string): boolean => {
  try {
    const lock = tryLock(lockFile(home));
    lock?.close();
    return lock !== null;
  } catch (error) {
    // There is no such home yet.
    if ((error as { errcode?: number }).errcode === SQLITE_CANTOPEN) return true;
    throw error;
  }
};

const LOOK_MS = 25;

/**
 * Looks who owns a home, until `enough` says that the answer will do or the owner is gone.
 * @returns the owner's word, or null where there is none any more.
 */
export const askOwner = async (
  home: string,
  enough: (owner: Owner) => boolean,
  timeoutMs: number,
): Promise<Owner | null> => {
  for (const end = Date.now() + timeoutMs; ; await sleep(LOOK_MS)) {
    // First the word: of an owner that is gone when it was read, the lock is free.
    const owner = await wordOf(home);
    if (isFree(home)) return null;
    if (owner !== null && enough(owner)) return owner;
    if (Date.now() > end) throw new Error(`no word from the owner of ${home} within ${timeoutMs} ms`);
  }
};
