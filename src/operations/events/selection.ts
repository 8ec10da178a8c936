import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { EventFilter, EventLog } from '../../write/log/port.ts';

/** A stretch of the log and what is wanted of it. */
export interface Selection {
  /** The last position that is not wanted. */
  readonly after: bigint;
  /** The last that is. Fixed when the selection is made: what the log takes later is not part of it. */
  readonly to: bigint;
  readonly filter: EventFilter;
}

/** As options of a command say it. Whatever is given narrows. */
export interface SelectionOptions {
  readonly stream?: string;
  readonly type?: string;
  /** First and last position. */
  readonly from?: bigint;
  readonly to?: bigint;
  /** `recorded_at` from `since` on and before `until`, in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

/** @throws {OperatorError} for what is no type of event. */
export const checkType = async (type: string | undefined): Promise<void> => {
  if (type === undefined) return;
  const { eventTypes } = await import('../../write/event-types.ts');
  if (Object.hasOwn(eventTypes, type)) return;
  throw new OperatorError(
    'argument_invalid',
    `"${type}" is no event type. The event types are: ${Object.keys(eventTypes).join(', ')}`,
  );
};

const filterOf = ({ stream, type }: SelectionOptions): EventFilter => ({
  ...(stream === undefined ? {} : { streamPrefixes: [stream] }),
  ...(type === undefined ? {} : { types: [type] }),
});

const least = (...positions: readonly bigint[]): bigint => positions.reduce((a, b) => (a < b ? a : b));
const most = (...positions: readonly bigint[]): bigint => positions.reduce((a, b) => (a > b ? a : b));

/** The stretch that the options mean, in the log as it is now. */
export const selectionOf = async (log: EventLog, options: SelectionOptions): Promise<Selection> => {
  const { positionAtTime } = await import('../../write/position-at-time.ts');
  const { from, to, since, until } = options;
  const head = await log.head();
  const after = most(
    0n,
    from === undefined ? 0n : from - 1n,
    since === undefined ? 0n : await positionAtTime(log, since),
  );
  const last = least(head, to ?? head, until === undefined ? head : await positionAtTime(log, until));
  return { after, to: most(after, last), filter: filterOf(options) };
};
