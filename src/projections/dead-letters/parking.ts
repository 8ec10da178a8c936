import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { releaseId } from '../../kernel/release.ts';
import { storable, truncated } from '../../kernel/text.ts';
import type { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventLog } from '../../write/log/port.ts';
import { parkStream, retryStream } from '../../write/projection-control/change-control.ts';
import {
  activeSequence,
  activeSequences,
  type Control,
  hasMoreControl,
  loadControl,
} from '../../write/projection-control/control.ts';
import type { Projection } from '../projection.ts';
import type { ApplyEventError } from '../stalls/apply-event-error.ts';

/** Maximum parked streams of a projection: if this many fail, the events are not the cause. */
const MAX_PARKED = 10_000;

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
  readonly clock?: Clock;
}

export const openParking = async (
  projection: Projection,
  { log, logger, release = releaseId, clock = systemClock }: ParkingOptions,
): Promise<Parking> => {
  let control = await loadControl(log, projection);
  const reload = async () => {
    control = await loadControl(log, projection, control);
    return control;
  };

  const context = () => ({ log, projection, known: control, nowMs: clock.now() });

  const mayPark = (stream: string): boolean =>
    projection.parks?.some((prefix) => stream.startsWith(prefix)) === true &&
    (activeSequence(control, stream) !== null || activeSequences(control).length < MAX_PARKED);

  return {
    control: () => control,
    reload,
    isOutdated: () => hasMoreControl(log, projection, control),
    park: async (error) => {
      const { id, position, revision, stream, type } = error.event;
      if (!mayPark(stream)) return false;
      control = await parkStream(context(), {
        stream,
        eventId: id,
        revision,
        position,
        type,
        reason: truncated(storable(error.message), 2_000),
        release: await release(),
      });
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
        const reason = 'release differs from the one that parked it';
        control = await retryStream(context(), sequence, reason);
      }
    },
  };
};
