import { isoOf } from '../../src/kernel/clock.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import type { Queryable } from '../../src/kernel/postgres/pool.ts';
import { type Fence, Ledger, NOTHING_ERASED } from '../../src/write/erasure/fence.ts';
import type { Lifting } from '../../src/write/erasure/lift-handles.ts';
import { makeMarker, type OpenFence, openFence } from '../../src/write/erasure/open-fence.ts';
import { createMarker, type Marker, markOf, SUBJECTS_STREAM } from '../../src/write/erasure/subject.ts';
import type { EventLog, RecordedEvent } from '../../src/write/log/port.ts';

/** An account as an erasure names it. */
export interface ErasedNames {
  readonly platform: Platform;
  /** Null if nobody knows it. */
  readonly id: string | null;
  readonly handles: readonly string[];
}

/** The entry of the ledger that erases an account. */
const entryOf = (marker: Marker, { platform, id, handles }: ErasedNames) => {
  const marks = handles.map((handle) => markOf(marker, platform, 'handle', handle));
  const mark = id === null ? null : markOf(marker, platform, 'id', id);
  const subject = (mark ?? marks[0])?.digest as string;
  return {
    type: 'SubjectErased',
    data: { at: isoOf(Date.now()), platform, subject, id: mark, handles: marks },
  };
};

/** The parts of a program in which nothing was erased. */
export const nothingErased: Lifting = {
  fence: { ...NOTHING_ERASED, refresh: async () => undefined },
  log: { append: () => Promise.reject(new Error('nothing is lifted')) },
};

/** A fence that refuses nobody yet. */
export const createTestFence = () => {
  const marker = createMarker(Buffer.alloc(32, 7));
  const fence = new Ledger(marker);
  return {
    fence,
    erase: (names: ErasedNames): void =>
      fence.apply({ ...entryOf(marker, names), revision: fence.revision + 1n } as unknown as RecordedEvent),
  };
};

/** A fence that refuses some accounts. */
export const fenceOf = (...erased: readonly ErasedNames[]): Fence => {
  const { fence, erase } = createTestFence();
  for (const names of erased) erase(names);
  return fence;
};

/** Of test programs. */
export const ERASURE_KEY = Buffer.alloc(32, 9).toString('base64');

const KEYS = [ERASURE_KEY] as const;

/** The fence of a program under test, which knows of an erasure once it is refreshed. */
export const openTestFence = (db: Queryable, log: Pick<EventLog, 'readStream'>): Promise<OpenFence> =>
  openFence({ db, log, keys: KEYS, logger: silentLogger }, false);

/** Enters an account in the ledger. @returns the digest that names it. */
export const eraseIn = async (
  { db, log, fence }: { readonly db: Queryable; readonly log: EventLog; readonly fence: OpenFence },
  names: ErasedNames,
): Promise<string> => {
  const entry = entryOf(await makeMarker(db, KEYS), names);
  await log.append(SUBJECTS_STREAM, [{ id: uuidV7(Date.now()), ...entry }], 'any');
  await fence.refresh();
  return entry.data.subject;
};
