import { OperatorError } from '../../kernel/errors.ts';
import {
  listParked as listEntries,
  type ParkedEntry,
  retryParked as retryEntry,
  skipParked as skipEntry,
  waitingEvents,
} from '../../projections/dead-letters/operations.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import type { OperationsContext } from '../context.ts';
import { projectionNamed, projectionsNamed, requireReason } from './builds.ts';

/** Names of projections; all by default. */
export interface ProjectionFilter {
  readonly projections?: readonly string[] | undefined;
}

/** A stream in the dead-letter queue of a projection, with its waiting events, oldest first. */
export interface ParkedStream extends ParkedEntry {
  readonly waiting: readonly RecordedEvent[];
}

/** The streams that projections have parked. @throws {OperatorError} `projection_unknown` */
export const listParked = async (
  context: Context,
  { projections }: ProjectionFilter = {},
): Promise<readonly ParkedStream[]> => {
  const streams: ParkedStream[] = [];
  for (const entry of await listEntries(context.log, projectionsNamed(projections))) {
    streams.push(await withWaiting(context, entry));
  }
  return streams;
};

/** The dead-letter entries of one stream. @throws {OperatorError} `projection_unknown`, `stream_not_parked` */
export const showParked = async (
  context: Context,
  stream: string,
  { projections }: ProjectionFilter = {},
): Promise<readonly ParkedStream[]> => {
  const entries = (await listEntries(context.log, projectionsNamed(projections))).filter(
    (entry) => entry.stream === stream,
  );
  if (entries.length === 0) {
    throw new OperatorError('stream_not_parked', `${stream} is not parked.`, { params: { stream } });
  }
  return Promise.all(entries.map((entry) => withWaiting(context, entry)));
};

/** A requested retry: the projections apply the stream within seconds, and park it again if it fails again. */
export interface Retry {
  readonly stream: string;
  readonly projections: readonly string[];
}

/**
 * Requests a retry of the parked events of a stream.
 * @param stream null for all parked streams.
 * @throws {OperatorError} `projection_unknown`, `stream_not_parked`
 */
export const retryParked = async (
  { log }: Context,
  stream: string | null,
  { projections }: ProjectionFilter = {},
): Promise<readonly Retry[]> => {
  const chosen = projectionsNamed(projections);
  const streams =
    stream === null ? [...new Set((await listEntries(log, chosen)).map((entry) => entry.stream))] : [stream];
  const retries: Retry[] = [];
  for (const one of streams) {
    retries.push({
      stream: one,
      projections: await retryEntry(log, chosen, one, 'asked for by an operator'),
    });
  }
  return retries;
};

/**
 * Skips the event because of which a stream is parked, and applies the events after it.
 * @throws {OperatorError} `projection_unknown`, `stream_not_parked`, `reason_missing`
 */
export const skipParked = (
  { log }: Context,
  stream: string,
  { projections, reason }: ProjectionFilter & { readonly reason: string },
): Promise<readonly { readonly projection: string; readonly position: bigint }[]> =>
  skipEntry(log, projectionsNamed(projections), stream, requireReason(reason));

type Context = Pick<OperationsContext, 'log'>;

const withWaiting = async ({ log }: Context, entry: ParkedEntry): Promise<ParkedStream> => ({
  ...entry,
  waiting: await waitingEvents(log, projectionNamed(entry.projection), entry),
});
