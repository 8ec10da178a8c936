import type { Logger } from '../../kernel/logger.ts';
import type { EventDecoder, EventDeserializationError } from '../../write/log/codec/decoder.ts';
import {
  checkLogId,
  type RelayCheckpoint,
  readRelayCheckpoint,
} from '../../write/messaging/relay-checkpoint.ts';
import type { Parking } from '../dead-letters/parking.ts';
import type { RunnerOptions } from '../engine/runner-options.ts';
import type { Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import { createPartitionBackoff, type PartitionBackoff } from '../stalls/partition-backoff.ts';
import { reportStall } from '../stalls/report-stall.ts';
import { clearStall, stalledPartitions } from '../stalls/stalls.ts';
import { openBatchApplier, type PartitionBatch } from '../writer/apply-batch.ts';
import { type CheckpointSync, createCheckpointSync } from './checkpoint-sync.ts';
import { decodeMessages, type Incoming } from './decode-messages.ts';
import { catchUpFromLog } from './log-catch-up.ts';
import { createParkedPartitions, type ParkedPartitions } from './parked-partitions.ts';
import type { ReceivedMessage } from './received-message.ts';

export interface PartitionConsumerOptions extends RunnerOptions {
  readonly projection: Projection;
  readonly schema: string;
  readonly decoder: EventDecoder;
  readonly parking: Parking;
}

/** Messages of partitions, in order. */
export type Batch = ReadonlyMap<string, readonly ReceivedMessage[]>;

type Poison = ApplyEventError | EventDeserializationError;

/** What became of a batch: messages that are done with, by the offset of the next one. */
export type Completed = ReadonlyMap<string, bigint>;

/** Applies messages, and what the log has of partitions that messages lack, to the assigned partitions. */
export class PartitionApplier {
  readonly #options: PartitionConsumerOptions;
  readonly #logger: Logger;
  readonly #applier: ReturnType<typeof openBatchApplier>;
  readonly #checkpoints: CheckpointSync;
  readonly #parked: ParkedPartitions;
  /** Called with the delay of a partition that is postponed. */
  readonly #onPostponed: (delayMs: number) => void;
  #generation = 0;
  #relayCheckpoint: RelayCheckpoint | null = null;
  /** Partitions stalled at a poison event, or postponed for a gap. */
  readonly backoff: PartitionBackoff = createPartitionBackoff();

  constructor(options: PartitionConsumerOptions, onPostponed: (delayMs: number) => void) {
    const { db, log, projection, schema, parking } = options;
    this.#options = options;
    this.#logger = options.logger;
    this.#onPostponed = onPostponed;
    // A log restored from a backup has another ID and reuses positions for other events.
    this.#applier = openBatchApplier(db, projection, schema, async (client) => {
      if (this.#relayCheckpoint !== null) await checkLogId(client, this.#relayCheckpoint.logId);
    });
    this.#checkpoints = createCheckpointSync({ db, log }, projection, schema);
    this.#parked = createParkedPartitions(schema, this.#applier, { log, projection, parking });
  }

  /** The positions of the assigned partitions. */
  get positions(): ReadonlyMap<string, bigint> {
    return this.#checkpoints.positions;
  }

  /** Whether every assigned partition has a checkpoint. */
  isComplete(): boolean {
    return this.#checkpoints.isComplete();
  }

  /** Ends what is in progress for the present assignment. */
  endGeneration(): void {
    this.#generation += 1;
  }

  /** A question to ask later: whether the present assignment is over by then. */
  watchAssignment(): () => boolean {
    const own = this.#generation;
    return () => own !== this.#generation || this.#options.signal.aborted;
  }

  /** Takes over other partitions. @returns where Kafka should start each. */
  async assign(partitions: readonly string[]): ReturnType<CheckpointSync['startFrom']> {
    const { db, projection } = this.#options;
    this.#checkpoints.assign(partitions);
    const offsets = await this.reload();
    const stalled = await stalledPartitions(db, projection);
    this.backoff.reset(stalled.filter((partition) => this.positions.has(partition)));
    return this.#checkpoints.startFrom(offsets);
  }

  /** Discards what is held in memory and reads the checkpoints again. @returns the Kafka offsets to resume at. */
  async reload(): Promise<ReadonlyMap<string, bigint | null>> {
    this.#applier.reset();
    const offsets = await this.#checkpoints.reload();
    await this.#parked.reload(this.#options.db, this.positions);
    return offsets;
  }

  /** Forgets whose messages it applied: the log has another ID. */
  forgetLog(): void {
    this.#relayCheckpoint = null;
  }

  /** Reads the relay's checkpoint, and applies streams whose retry the partitions have passed. */
  async refresh(): Promise<RelayCheckpoint | null> {
    this.#relayCheckpoint = await readRelayCheckpoint(this.#options.db);
    if (this.#relayCheckpoint !== null) await this.#parked.applyRetried(this.positions);
    return this.#relayCheckpoint;
  }

  /** @returns the partitions that stalled. */
  apply(runs: readonly PartitionBatch[]): Promise<ReadonlyMap<string, ApplyEventError>> {
    return this.#parked.apply(runs, async (partition, reached, isDone) => {
      const moved = reached > (this.positions.get(partition) ?? 0n);
      this.#checkpoints.positions.set(partition, reached);
      if (isDone && moved && this.backoff.release(partition)) await this.#reportResumed(partition, reached);
    });
  }

  /** Catches partitions up with the log, some pages at a time. */
  async readFromLog(partitions: readonly string[]): Promise<void> {
    const { log, projection, parking } = this.#options;
    const from = new Map(partitions.map((partition) => [partition, this.positions.get(partition) ?? 0n]));
    const failures = await catchUpFromLog(from, {
      log,
      projection,
      parking,
      isParked: this.#parked.isParked,
      apply: (runs) => this.apply(runs),
      isOver: this.watchAssignment(),
    });
    for (const [partition, failure] of failures) await this.#stall(partition, failure);
  }

  /** Applies messages; gaps before them are filled from the log first. */
  async applyMessages(batch: Batch): Promise<Completed> {
    const { parking } = this.#options;
    const before = new Map(this.positions);
    const incoming = await this.#decodeAll(batch);
    const runs = [...incoming].map(([partition, { events, endPosition, next }]) => {
      return { partition, from: this.positions.get(partition) as bigint, endPosition, events, offset: next };
    });
    const failures = await this.apply(runs.filter((run) => run.endPosition > run.from));
    const completed = new Map<string, bigint>();
    for (const [partition, { left, next }] of incoming) {
      const poison = failures.get(partition);
      if (poison !== undefined) {
        // Messages that are applied already are dropped on the next decode.
        await this.#stall(partition, poison);
        continue;
      }
      completed.set(partition, next);
      if (left === 'gap') {
        // If the log did not close the gap either, a stall was reported, or a log node lags.
        const isStuck = this.positions.get(partition) === before.get(partition);
        if (isStuck && this.backoff.isDue(partition)) this.#postpone(partition);
      } else if (left !== null && !(await parking.park(left))) await this.#stall(partition, left);
    }
    return completed;
  }

  async #decodeAll(batch: Batch): Promise<ReadonlyMap<string, Incoming>> {
    const { db, decoder, parking, projection } = this.#options;
    this.#relayCheckpoint ??= await readRelayCheckpoint(db);
    const excludeIds = parking.control().skipped;
    const logId = this.#relayCheckpoint?.logId ?? '';
    const context = { decoder, excludeIds, isParked: this.#parked.isParked, logId };
    const decode = (partition: string): Incoming =>
      decodeMessages(batch.get(partition) ?? [], this.positions.get(partition) ?? 0n, context);
    const incoming = new Map([...batch.keys()].map((partition) => [partition, decode(partition)]));
    const gaps = [...incoming].flatMap(([partition, { left }]) => (left === 'gap' ? [partition] : []));
    if (gaps.length === 0) return incoming;
    this.#logger.warn(
      { projection: projection.name, partitions: gaps },
      'gap in the messages from Kafka; reading the missing events from the log',
    );
    await this.readFromLog(gaps);
    for (const partition of gaps) incoming.set(partition, decode(partition));
    return incoming;
  }

  #postpone(partition: string): number {
    const delayMs = this.backoff.delay(partition);
    this.#onPostponed(delayMs);
    return delayMs;
  }

  #stall(partition: string, error: Poison): Promise<void> {
    return reportStall(this.#options.projection, error, this.#postpone(partition), this.#options, partition);
  }

  async #reportResumed(partition: string, endPosition: bigint): Promise<void> {
    const { db, projection } = this.#options;
    await clearStall(db, projection, endPosition, partition);
    this.#logger.info({ projection: projection.name, partition }, 'partition resumed');
  }
}
