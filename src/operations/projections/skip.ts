import { OperatorError } from '../../kernel/errors.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { checkpointsOf, isIn } from '../../projections/checkpoints.ts';
import { skipAndRetry } from '../../projections/dead-letters/operations.ts';
import type { Projection } from '../../projections/projection.ts';
import { eventAt, subscribes } from '../../projections/subscription.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import type { OperationsContext } from '../context.ts';
import { projectionsNamed, requireReason } from './builds.ts';

/** The effect of a skip on one projection. */
export interface Skip {
  readonly projection: string;
  readonly event: Pick<RecordedEvent, 'position' | 'stream' | 'type'>;
  /** False if the event was skipped already. */
  readonly isNew: boolean;
  /** Whether the stream was parked; the events after the skipped one are applied now. */
  readonly wasParked: boolean;
  /** Whether the served rows contain the event; a rebuild removes it from them. */
  readonly isServed: boolean;
}

/**
 * Makes projections skip the event at a position, now and in every rebuild.
 * @param skip `projections`: names, by default all that subscribe to the event.
 * @throws {OperatorError} `event_unknown`, `event_not_subscribed`, `projection_unknown`, `reason_missing`
 */
export const skipEvent = async (
  { db, log }: Pick<OperationsContext, 'db' | 'log'>,
  skip: {
    readonly position: bigint;
    readonly reason: string;
    readonly projections?: readonly string[] | undefined;
  },
): Promise<readonly Skip[]> => {
  const reason = requireReason(skip.reason);
  projectionsNamed(skip.projections);
  const event = await eventAt(log, skip.position);
  if (event === null) {
    throw new OperatorError('event_unknown', `There is no event at position ${skip.position}.`);
  }
  const skips: Skip[] = [];
  for (const projection of subscribersOf(event, skip.projections)) {
    const served = await isServed(db, projection, event);
    const done = await skipAndRetry(log, projection, event, reason);
    skips.push({ projection: projection.name, event, ...done, isServed: served });
  }
  return skips;
};

const subscribersOf = (event: RecordedEvent, names: readonly string[] | undefined): readonly Projection[] => {
  const chosen = projectionsNamed(names);
  const subscribers = chosen.filter((projection) => subscribes(projection, event));
  const others = chosen.filter((projection) => !subscribers.includes(projection)).map(({ name }) => name);
  if (subscribers.length === 0 || (names !== undefined && others.length > 0)) {
    const who = names === undefined ? 'No projection applies' : `${others.join(', ')} does not apply`;
    throw new OperatorError(
      'event_not_subscribed',
      `${who} ${event.type} in ${event.stream}: there is nothing to skip at position ${event.position}.`,
    );
  }
  return [...new Set(subscribers)];
};

const isServed = async (
  db: Queryable,
  { name, version }: Projection,
  event: RecordedEvent,
): Promise<boolean> => {
  const active = await activeBuild(db, name, version);
  return active !== null && isIn(event, await checkpointsOf(db, active.schema));
};
