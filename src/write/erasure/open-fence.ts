/** The key of the digests, and the fence that a process follows the ledger with. */

import { createPrivateKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { EventLog } from '../log/port.ts';
import { createKeyring, type Keyring, type Sealed } from '../secrets.ts';
import { type Fence, Ledger, NOTHING_ERASED, type OpenTenure } from './fence.ts';
import { createMarker, type Marker, SUBJECTS_STREAM } from './subject.ts';

/** ERASURE_KEY: the first key seals, all of them open. */
export type ErasureKeys = readonly [string, ...string[]] | undefined;

const CONTEXT = 'erasure key';

const keyringOf = (keys: ErasureKeys): Keyring => {
  if (keys === undefined) {
    throw new OperatorError(
      'erasure_key_missing',
      'Accounts were erased, or are to be, and ERASURE_KEY is not set: nobody could tell which.',
    );
  }
  return createKeyring(keys);
};

/** The secret that digests and the key of receipts are made of. */
const secretIn = (sealed: Sealed, keys: ErasureKeys): Buffer => {
  const secret = keyringOf(keys).open(CONTEXT, sealed);
  if (secret === null) {
    throw new OperatorError(
      'erasure_key_wrong',
      'ERASURE_KEY is not the key that this installation seals its erasures with: nobody could tell which accounts were erased.',
    );
  }
  return Buffer.from(secret, 'base64');
};

const opened = (sealed: Sealed, keys: ErasureKeys): Marker => createMarker(secretIn(sealed, keys));

/** The sealed key; null before the first erasure. */
export const storedKey = async (db: Queryable): Promise<Sealed | null> => {
  const { rows } = await db.query<Sealed>(sql.named('erasure_key')`
    select key_id as "keyId", sealed from secrets.erasure_key`);
  return rows[0] ?? null;
};

/** The marker of this installation; before the first erasure one that nothing is marked with. */
export const previewMarker = async (db: Queryable, keys: ErasureKeys): Promise<Marker> => {
  const sealed = await storedKey(db);
  return sealed === null ? createMarker(randomBytes(32)) : opened(sealed, keys);
};

/** The marker of this installation, made at the first erasure. @throws {OperatorError} without its key. */
export const makeMarker = async (db: Queryable, keys: ErasureKeys): Promise<Marker> => {
  await storeKey(db, keyringOf(keys).seal(CONTEXT, randomBytes(32).toString('base64')), keys);
  return opened((await storedKey(db)) as Sealed, keys);
};

/** Stores a sealed key, unless there is one, which never changes. @throws {OperatorError} if ERASURE_KEY does not open it. */
export const storeKey = async (db: Queryable, sealed: Sealed, keys: ErasureKeys): Promise<void> => {
  secretIn(sealed, keys);
  await db.query(sql`
    insert into secrets.erasure_key (only_row, key_id, sealed) values (true, ${sealed.keyId}, ${sealed.sealed})
    on conflict do nothing`);
};

/** What precedes the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key that signs receipts; null before the first erasure. It follows from the secret, so that it is as lasting. */
export const receiptKey = async (db: Queryable, keys: ErasureKeys): Promise<KeyObject | null> => {
  const sealed = await storedKey(db);
  if (sealed === null) return null;
  const seed = hkdfSync('sha256', secretIn(sealed, keys), '', 'sightline receipts', 32);
  return createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed)]), format: 'der', type: 'pkcs8' });
};

/** Seals the key of the digests with the first key of ERASURE_KEY. */
export const resealMarker = async (db: Queryable, keys: ErasureKeys): Promise<void> => {
  const sealed = await storedKey(db);
  if (sealed === null) return;
  const again = keyringOf(keys).seal(CONTEXT, secretIn(sealed, keys).toString('base64'));
  await db.query(sql`update secrets.erasure_key set key_id = ${again.keyId}, sealed = ${again.sealed}`);
};

const openTenures = async (db: Queryable): Promise<readonly OpenTenure[]> => {
  const { rows } = await db.query<OpenTenure>(sql.named('open_tenures')`
    select o.subject, t.stream, t."from", t.through from erasure.open o,
      jsonb_to_recordset(o.tenures) as t(stream text, "from" float8, through float8)
    where o.forgotten_at is null`);
  return rows;
};

/** Interval in which a process asks for erasures. */
const FOLLOW_MS = 500;

/** The fence of a process. It is a view of one that may be another after each event of the ledger. */
export interface OpenFence extends Fence {
  /** Reads the ledger up to its head. @throws {OperatorError} without its key. */
  refresh(): Promise<void>;
  /** Resolves when the ledger has an erasure that this process can't keep, with the reason. */
  readonly lost: Promise<string>;
  close(): void;
}

/**
 * Opens the fence, and follows the ledger until it is closed.
 * @param log without the codec: the codec asks the fence.
 * @param follows false for work that is over before anything else may be erased.
 * @throws {OperatorError} `erasure_key_missing` or `erasure_key_wrong` if accounts were erased and the key does not fit.
 */
export const openFence = async (
  {
    db,
    log,
    keys,
    logger,
  }: {
    readonly db: Queryable;
    readonly log: Pick<EventLog, 'readStream'>;
    readonly keys: ErasureKeys;
    readonly logger: Logger;
  },
  follows: boolean,
): Promise<OpenFence> => {
  let fence: Fence = NOTHING_ERASED;
  let ledger: Ledger | null = null;
  const stop = new AbortController();
  const lost = Promise.withResolvers<string>();
  const read = async (): Promise<void> => {
    if (ledger === null) {
      const sealed = await storedKey(db);
      if (sealed === null) return;
      ledger = new Ledger(opened(sealed, keys));
    }
    // Tenures first: whoever knows of an erasure knows what is void.
    ledger.setTenures(await openTenures(db));
    for (const event of await log.readStream(SUBJECTS_STREAM, { from: ledger.revision + 1n }))
      ledger.apply(event);
    fence = ledger;
  };
  let reading: Promise<void> = Promise.resolve();
  /** One after the other: an older page must not come last. */
  const refresh = (): Promise<void> => {
    reading = reading.catch(() => undefined).then(read);
    return reading;
  };
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await sleep(FOLLOW_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      if (stop.signal.aborted) return;
      try {
        await refresh();
      } catch (error) {
        // Who can't read the ledger can't read anything else of the database either.
        if (error instanceof OperatorError) lost.resolve(error.message);
        else logger.debug({ err: errorMessage(error) }, 'reading the ledger of erasures failed');
      }
    }
  };
  await refresh();
  if (follows) void follow();
  return {
    get isEmpty() {
      return fence.isEmpty;
    },
    get revision() {
      return fence.revision;
    },
    has: (...name) => fence.has(...name),
    maskOf: (...name) => fence.maskOf(...name),
    get erased() {
      return fence.erased;
    },
    subjectOf: (...name) => fence.subjectOf(...name),
    entryOf: (subject) => fence.entryOf(subject),
    isUndone: (...event) => fence.isUndone(...event),
    liftOf: (...handle) => fence.liftOf(...handle),
    asOf: (position) => fence.asOf(position),
    isVoid: (event) => fence.isVoid(event),
    refresh,
    lost: lost.promise,
    close: () => stop.abort(),
  };
};
