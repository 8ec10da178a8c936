import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Withdrawal, withdrawMissing } from '../../crawlers/marketplace/withdraw-missing.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { lagOf } from '../../projections/engine/lag.ts';
import { runProjection } from '../../projections/engine/runner.ts';
import { listings } from '../../projections/views/listings/projection.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import { createMarketStates } from '../../read/marketplace/market-states.ts';
import { isErasedName, type Named } from '../../write/erasure/cleanse.ts';
import {
  createMarketRecorder,
  listingId,
  type MarketObservation,
  type MarketRecorder,
  placementId,
  SOURCE,
} from '../../write/marketplace/listing.ts';
import { type RecordContext, readRecord } from '../../write/marketplace/read-record.ts';
import type { IntakeContext, OnProgress, OperationsContext } from '../context.ts';
import { checkSource, hostOf, type OpenSource, withSource } from './open-source.ts';
import { csvRecords, type FileRecord, ndjsonRecords } from './records.ts';

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** A record that was not imported. */
export interface RejectedRecord {
  readonly line: number;
  readonly reason: string;
  /** The record as it is in the file, truncated. */
  readonly record: string;
}

export interface ImportOptions {
  /** The source's name; by default the host of a URL. */
  readonly source?: string | undefined;
  /** By default CSV if the name ends in `.csv` or `.csv.gz`, otherwise NDJSON. */
  readonly format?: ImportFormat | undefined;
  /** Checks all records and appends nothing. */
  readonly dryRun?: boolean;
  /** When records without a time were observed, ms since 1970; now by default. */
  readonly observedAt?: number | undefined;
  /** Whether the file is complete, so that listings missing from it are withdrawn. */
  readonly complete?: boolean;
  /** Maximum share of the active listings that may be withdrawn. */
  readonly maxWithdrawn?: number | undefined;
  readonly signal: AbortSignal;
  readonly onRejected?: (rejected: RejectedRecord) => void;
  /** Called with the bytes read, of the total, if that is known. */
  readonly onProgress?: OnProgress;
}

export interface Imported {
  readonly source: string;
  readonly listings: number;
  readonly placements: number;
  /** Records of an offer that an earlier line has in an equally new or newer version. */
  readonly repeated: number;
  readonly rejected: number;
  /** Events that were appended, by type. */
  readonly events: Readonly<Record<string, number>>;
  /** Null if the file is not complete. */
  readonly withdrawal: Withdrawal | null;
}

/**
 * Imports listings and placements from a file or URL. Memory is bounded, except for a few bytes per offer. Idempotent:
 * importing a file again appends nothing, and repeating an interrupted import completes it.
 * @throws {OperatorError} `source_invalid`, `file_unusable`, `source_refused`, `source_unusable`
 */
export const importListings = async (
  context: IntakeContext,
  input: string,
  options: ImportOptions,
): Promise<Imported> => {
  const { signal, dryRun = false, complete = false, onProgress, onRejected } = options;
  checkSource(context.config, input);
  const source = sourceOf(input, options.source);
  const nowMs = systemClock.now();
  const readAt = isoOf(Math.min(options.observedAt ?? nowMs, nowMs));
  const seen = createSeenOffers();

  const readAll = (record: MarketRecorder['record']) =>
    withSource(context.config, input, signal, async (opened: OpenSource) => {
      const from = { source, readAt, isDated: true, fence: context.fence };
      const intake = createIntake(from, record, seen, onRejected);
      const read = formatOf(input, options.format) === 'csv' ? csvRecords : ndjsonRecords;
      for await (const records of read(opened.chunks)) {
        signal.throwIfAborted();
        await intake.take(records);
        onProgress?.(opened.done(), opened.bytes ?? opened.done());
      }
      await intake.flush();
      // A complete file withdraws nothing then, and says so.
      if (!complete && Object.values(intake.counts).every((n) => n === 0))
        throw new OperatorError('file_unusable', `${input} has no record: nothing was imported.`);
      return intake;
    });

  if (dryRun) {
    const { counts, events } = await readAll(noEvents);
    return { source, ...counts, events, withdrawal: null };
  }
  return withListings(context, signal, async (followed) => {
    await followed.caughtUp();
    const builds = await watchBuilds(context.db, context.logger);
    try {
      const states = createMarketStates(context.db, builds, context.logger);
      const recorder = createMarketRecorder(context.log, states, systemClock);
      const { counts, events, unidentified } = await readAll(recorder.record);
      const schema = await followed.caughtUp();
      const refused = (reason: string): Withdrawal => ({ status: 'refused', missing: null, reason });
      const withdraw = async (): Promise<Withdrawal> => {
        const n = unidentified();
        if (n > 0) return refused(`records without a legible id (${n}) may be any of the listings`);
        if (counts.listings === 0)
          return refused(
            'the file has no valid listing. If all are gone, import them with the status withdrawn',
          );
        if (schema === null) return refused('the read model of listings is stalled');
        return withdrawMissing({ db: context.db, schema, recorder }, source, {
          seenAmong: (ids) => new Set(ids.filter(seen.has)),
          seen: counts.listings,
          observedAt: readAt,
          maxShare: options.maxWithdrawn,
        });
      };
      const withdrawal = complete ? await withdraw() : null;
      if (withdrawal?.status === 'done') await followed.caughtUp();
      return { source, ...counts, events, withdrawal };
    } finally {
      builds.close();
    }
  });
};

export const createSeenOffers = (): SeenOffers => {
  let size = FIRST_SIZE;
  /** Pairs of digests; 0, 0 is a free slot. */
  let digests = new Uint32Array(2 * size);
  let times = new Float64Array(size);
  let used = 0;

  const slotOf = (a: number, b: number): number => {
    for (let slot = a & (size - 1); ; slot = (slot + 1) & (size - 1)) {
      const [high, low] = [digests[2 * slot], digests[2 * slot + 1]];
      if ((high === a && low === b) || (high === 0 && low === 0)) return slot;
    }
  };
  const grow = (): void => {
    const [oldDigests, oldTimes] = [digests, times];
    size *= 2;
    digests = new Uint32Array(2 * size);
    times = new Float64Array(size);
    for (let i = 0; i < oldTimes.length; i++) {
      const [a, b] = [oldDigests[2 * i] as number, oldDigests[2 * i + 1] as number];
      if (a === 0 && b === 0) continue;
      const slot = slotOf(a, b);
      digests[2 * slot] = a;
      digests[2 * slot + 1] = b;
      times[slot] = oldTimes[i] as number;
    }
  };
  const digestOf = (id: string): readonly [number, number] => {
    const digest = hash('sha1', id, 'buffer');
    return [digest.readUInt32LE(0) | 1, digest.readUInt32LE(4)];
  };
  const unsigned = ([a, b]: readonly [number, number]): readonly [number, number] => [a >>> 0, b];

  return {
    isNew: (id, atMs) => {
      if (used > 0.7 * size) grow();
      const [a, b] = unsigned(digestOf(id));
      const slot = slotOf(a, b);
      const isFirst = digests[2 * slot] === 0;
      if (!isFirst && atMs <= (times[slot] as number)) return false;
      if (isFirst) {
        digests[2 * slot] = a;
        digests[2 * slot + 1] = b;
        used += 1;
      }
      times[slot] = atMs;
      return true;
    },
    has: (id) => {
      const [a, b] = unsigned(digestOf(id));
      return digests[2 * slotOf(a, b)] !== 0;
    },
  };
};

/** The read model of listings beside other work. */
interface FollowedListings {
  /** Waits until the read model has processed the whole log. @returns its schema; null if it is stalled. */
  caughtUp(): Promise<string | null>;
}

const LOOK_MS = 50;

/**
 * Runs work while the read model of listings follows the log: decisions take states of listings from it. The process
 * that gets the lease maintains it, a running service or this one; with Kafka, only the consumers do.
 */
const withListings = async <Result>(
  context: OperationsContext,
  signal: AbortSignal,
  work: (followed: FollowedListings) => Promise<Result>,
): Promise<Result> => {
  const { db, log } = context;
  const stop = new AbortController();
  const running =
    context.config.KAFKA_BROKERS === undefined
      ? runProjection(listings, {
          ...context,
          db: context.asyncCommitDb,
          connectionString: context.url,
          signal: stop.signal,
        })
      : Promise.resolve();
  try {
    return await work({
      caughtUp: async () => {
        for (;;) {
          const [lag] = await lagOf(db, log, [listings]);
          if (lag?.build != null && lag.oldestUnprocessedAt === null) return lag.build.schema;
          if ((lag?.stalls.length ?? 0) > 0) return null;
          await sleep(LOOK_MS, undefined, { signal });
        }
      },
    });
  } finally {
    stop.abort();
    await running;
  }
};

const IMPORT_FORMATS = ['ndjson', 'csv'] as const;

/** Records that are decided on together. */
const BATCH = 1_000;
const MAX_RECORD_CHARS = 2_000;

const sourceOf = (input: string, named: string | undefined): string => {
  const source = named ?? hostOf(input);
  if (source === null)
    throw new OperatorError(
      'source_invalid',
      `Name the marketplace that ${input} is from, with --source NAME.`,
    );
  if (!SOURCE.test(source))
    throw new OperatorError(
      'source_invalid',
      `"${source}" is no name of a source: small letters, digits, dots and hyphens, as market.example`,
    );
  return source;
};

const formatOf = (input: string, format: ImportFormat | undefined): ImportFormat =>
  format ?? (/\.csv(?:\.gz)?(?:\?.*)?$/i.test(input) ? 'csv' : 'ndjson');

const idOf = ({ kind, source, native }: MarketObservation): string =>
  kind === 'listing' ? listingId(source, native) : placementId(source, native);

const isOfErased = (fence: Named, observation: MarketObservation): boolean => {
  const { handle } = observation.kind === 'listing' ? observation.details : observation;
  return handle !== null && isErasedName(fence, observation.platform, handle);
};

const noEvents = async () => ({});

/** The state of an import: its counts and the offers seen. */
const createIntake = (
  context: RecordContext & { readonly fence: Named },
  record: MarketRecorder['record'],
  seen: SeenOffers,
  onRejected: ImportOptions['onRejected'],
) => {
  const counts = { listings: 0, placements: 0, repeated: 0, rejected: 0 };
  const events: Record<string, number> = {};
  /** Rejected records that may be any of the source's listings. */
  let unidentified = 0;
  let pending: MarketObservation[] = [];

  const reject = ({ line, text }: FileRecord, reason: string) => {
    counts.rejected += 1;
    onRejected?.({ line, reason, record: text.slice(0, MAX_RECORD_CHARS) });
  };
  const flush = async () => {
    const batch = pending;
    pending = [];
    if (batch.length === 0) return;
    for (const [type, n] of Object.entries(await record(batch))) events[type] = (events[type] ?? 0) + n;
  };
  return {
    counts,
    events,
    unidentified: () => unidentified,
    take: async (records: readonly FileRecord[]) => {
      for (const one of records) {
        if (one.reason !== undefined) {
          unidentified += 1;
          reject(one, one.reason);
          continue;
        }
        const { observation, ...refused } = readRecord(one.value, context);
        if (observation === null) {
          const { reason, native } = refused as { reason: string; native: string | null };
          // An invalid record is still an offer.
          if (native === null) unidentified += 1;
          else seen.isNew(listingId(context.source, native), Number.NEGATIVE_INFINITY);
          reject(one, reason);
          continue;
        }
        if (isOfErased(context.fence, observation)) {
          seen.isNew(idOf(observation), Number.NEGATIVE_INFINITY);
          reject(one, 'the account was erased');
          continue;
        }
        if (!seen.isNew(idOf(observation), Date.parse(observation.observedAt))) {
          counts.repeated += 1;
          continue;
        }
        counts[observation.kind === 'listing' ? 'listings' : 'placements'] += 1;
        pending.push(observation);
        if (pending.length >= BATCH) await flush();
      }
    },
    flush,
  };
};

/**
 * The offers that a run has seen, with the newest time of each: 32 bytes an offer at most, by a digest of 64 bits of
 * its ID.
 */
interface SeenOffers {
  /** Notes an offer. @returns whether it is the first of its ID, or newer than all before. */
  isNew(id: string, atMs: number): boolean;
  has(id: string): boolean;
}

const FIRST_SIZE = 1 << 12;
