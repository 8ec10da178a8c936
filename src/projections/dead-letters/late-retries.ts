import type { Control } from '../../write/projection-control/control.ts';
import type { AppliedEvent } from '../projection.ts';
import type { ParkedChange, ParkedStream, ParkedStreams } from './parked-rows.ts';
import { type PlanContext, queueOf } from './plan.ts';

/** Position of the retry that ended a stream's sequence; null while it is active. */
export const retriedAt = (control: Control, { stream, eventId }: ParkedStream): bigint | null =>
  control.sequences.get(stream)?.findLast((sequence) => sequence.eventId === eventId)?.until ?? null;

/** A parked stream's events that are applied at the partition's checkpoint, which is past their retry. */
export interface LateRetry {
  readonly position: bigint;
  readonly stream: string;
  readonly events: readonly AppliedEvent[];
  readonly changes: readonly ParkedChange[];
}

/**
 * Streams that were retried at a position that their partition has passed: retries are not published to Kafka. Rows
 * of such projections depend only on the order within a stream, so applying them late gives the same result.
 * @param reached checkpoint of a stream's partition; null if the partition is assigned elsewhere.
 * @throws {EventDeserializationError}
 */
export const lateRetries = async (
  context: Omit<PlanContext, 'parked' | 'isDone' | 'isDeferred'>,
  parked: ParkedStreams,
  reached: (stream: string) => bigint | null,
): Promise<readonly LateRetry[]> => {
  const found: LateRetry[] = [];
  for (const row of parked.values()) {
    const at = retriedAt(context.control, row);
    const position = reached(row.stream);
    if (at === null || position === null || position < at) continue;
    const { events, rest } = await queueOf({ ...context, parked }, row, {
      at,
      before: position + 1n,
      appliedAt: position,
    });
    found.push({
      position,
      stream: row.stream,
      events,
      changes: [{ at: position, stream: row.stream, row: rest }],
    });
  }
  return found;
};
