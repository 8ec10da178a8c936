import { OperatorError } from '../../kernel/errors.ts';
import type { EventFilter, EventLog } from '../../write/log/port.ts';

/** A range of the log and a filter. */
export interface Selection {
  /** The range starts after this position. */
  readonly after: bigint;
  /** Last position of the range; events that are appended later are not part of it. */
  readonly to: bigint;
  readonly filter: EventFilter;
}

/** Each option narrows the selection. */
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

/** @throws {OperatorError} `argument_invalid` for an unknown type. */
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

const minOf = (...positions: readonly bigint[]): bigint => positions.reduce((a, b) => (a < b ? a : b));
const maxOf = (...positions: readonly bigint[]): bigint => positions.reduce((a, b) => (a > b ? a : b));

/** The selection that the options describe, in the log as it is now. */
export const selectionOf = async (log: EventLog, options: SelectionOptions): Promise<Selection> => {
  const { positionAtTime } = await import('../../write/position-at-time.ts');
  const { from, to, since, until } = options;
  const head = await log.head();
  const after = maxOf(
    0n,
    from === undefined ? 0n : from - 1n,
    since === undefined ? 0n : await positionAtTime(log, since),
  );
  const last = minOf(head, to ?? head, until === undefined ? head : await positionAtTime(log, until));
  return { after, to: maxOf(after, last), filter: filterOf(options) };
};
