import type { AppliedEvent } from '../projection.ts';
import type { Control } from './control.ts';
import type { ParkedChange, ParkedStream, ParkedStreams } from './parked-rows.ts';
import { type PlanContext, queueOf } from './plan.ts';

/** Position of the retry that ended what a stream is parked for; null while it lasts. */
export const retriedAt = (control: Control, { stream, eventId }: ParkedStream): bigint | null =>
  control.sequences.get(stream)?.findLast((sequence) => sequence.eventId === eventId)?.until ?? null;

/** What was parked of a stream and is applied where the rows stand, its retry having been passed before. */
export interface LateRetry {
  readonly position: bigint;
  readonly stream: string;
  readonly events: readonly AppliedEvent[];
  readonly changes: readonly ParkedChange[];
}

/**
 * The streams that were retried at a position which the rows are past, since a partition of Kafka's has no retries in
 * it. Of rows that depend on the order within a stream only, it makes no difference to apply them now.
 * @param reached where the rows of a stream stand; null where they are somebody else's.
 * @throws {EventDeserializationError}
 */
export const lateRetries = async (
  context: Omit<PlanContext, 'parked' | 'isDone' | 'isPutOff'>,
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
