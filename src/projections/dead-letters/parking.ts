import { isoOf } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { releaseId } from '../../kernel/release.ts';
import { storable, truncated } from '../../kernel/text.ts';
import type { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog } from '../../write/log/port.ts';
import { parkStream, projectionDecider, retryStream } from '../../write/projection-skips/decide.ts';
import { type ProjectionEvent, projectionStream } from '../../write/projection-skips/events.ts';
import type { Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';
import {
  activeSequence,
  activeSequences,
  type Control,
  type DeadLetterSequence,
  hasMoreControl,
  loadControl,
} from './control.ts';

/** Maximum parked streams of a projection: if this many fail, the events are not the cause. */
const MAX_PARKED = 10_000;
const MAX_TRIES = 20;

/** Reads and extends a projection's control stream. */
export interface Parking {
  control(): Control;
  /** Brings the state up to the end of the projection's stream. */
  reload(): Promise<Control>;
  /** Whether the projection's stream has newer events. */
  isOutdated(): Promise<boolean>;
  /**
   * Parks the stream of a poison event.
   * @returns whether it is parked from that event on; false if the projection has to stall.
   */
  park(error: ApplyEventError | EventDeserializationError): Promise<boolean>;
  /** Retries streams that another release parked and this one has not tried yet. */
  retryAfterUpgrade(): Promise<void>;
}

export interface ParkingOptions {
  readonly log: EventLog;
  readonly logger: Logger;
  /** The running release. */
  readonly release?: () => Promise<string>;
}

/** Appends the decided events at the known revision; on a conflict reloads and decides again. */
const decideWith = async (
  log: EventLog,
  projection: Projection,
  known: Control,
  decide: (control: Control) => readonly ProjectionEvent[],
): Promise<Control> => {
  let control = await loadControl(log, projection, known);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const events = decide(control);
    if (events.length === 0) return control;
    const batch = events.map((event) => ({ id: uuidV7(Date.now()), ...event }));
    const expected = control.revision === -1n ? 'no_stream' : control.revision;
    const outcome = await log.append(projectionStream(projection.name), batch, expected);
    control = await loadControl(log, projection, control);
    if (outcome.status === 'appended') return control;
  }
  throw new Error(`the stream of ${projection.name} has too many concurrent writers`);
};

const stateOf = (control: Control, version: number) => ({
  ...projectionDecider.initial,
  skipped: control.skipped,
  parkedFor: new Map(
    activeSequences(control).map(({ stream, eventId }) => [`${version} ${stream}`, eventId]),
  ),
});

/**
 * Ends a stream's sequence at the head of the log: its queued events are applied there.
 * @returns the new state; unchanged if the active sequence is another one.
 */
export const retrySequence = (
  log: EventLog,
  projection: Projection,
  known: Control,
  { stream, eventId }: Pick<DeadLetterSequence, 'stream' | 'eventId'>,
  reason: string,
): Promise<Control> =>
  decideWith(log, projection, known, (control) =>
    retryStream({
      at: isoOf(Date.now()),
      version: projection.version,
      stream,
      event_id: eventId,
      reason,
    })(stateOf(control, projection.version)),
  );

export const openParking = async (
  projection: Projection,
  { log, logger, release = releaseId }: ParkingOptions,
): Promise<Parking> => {
  let control = await loadControl(log, projection);
  const reload = async () => {
    control = await loadControl(log, projection, control);
    return control;
  };

  const mayPark = (stream: string): boolean =>
    projection.parks?.some((prefix) => stream.startsWith(prefix)) === true &&
    (activeSequence(control, stream) !== null || activeSequences(control).length < MAX_PARKED);

  return {
    control: () => control,
    reload,
    isOutdated: () => hasMoreControl(log, projection, control),
    park: async (error) => {
      const { id, position, stream, type } = error.event;
      if (!mayPark(stream)) return false;
      const { revision } = error.event;
      const data = {
        at: isoOf(Date.now()),
        event_id: id,
        position: String(position),
        stream,
        type,
        version: projection.version,
        revision: String(revision),
        reason: truncated(storable(error.message), 2_000),
        release: await release(),
      };
      control = await decideWith(log, projection, control, (known) =>
        parkStream(data)(stateOf(known, projection.version)),
      );
      const isParked = activeSequence(control, stream)?.eventId === id;
      if (isParked) {
        logger.error(
          { err: error, projection: projection.name, position: String(position), stream, type },
          `stream parked: ${projection.name} queues its events as dead letters and continues with the ` +
            `other streams; see: sightline projections parked show ${stream}`,
        );
      }
      return isParked;
    },
    retryAfterUpgrade: async () => {
      const sequences = activeSequences(control);
      if (sequences.length === 0) return;
      const own = await release();
      for (const sequence of sequences) {
        const tried = control.sequences
          .get(sequence.stream)
          ?.some(({ eventId, release: by }) => eventId === sequence.eventId && by === own);
        if (tried === true) continue;
        logger.info(
          { projection: projection.name, stream: sequence.stream },
          'retrying a parked stream: it was parked by another release',
        );
        control = await retrySequence(
          log,
          projection,
          control,
          sequence,
          'release differs from the one that parked it',
        );
      }
    },
  };
};
