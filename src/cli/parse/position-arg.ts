import { InvalidArgumentError } from 'commander';
import type { PointInTime } from '../../operations/projections/builds.ts';
import { timeArg } from './time-arg.ts';

/** A position of the log. @throws {InvalidArgumentError} */
export const positionArg = (text: string): bigint => {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('A position is a whole number.');
  return BigInt(text);
};

/** A position, or a time of `recorded_at`. @throws {OperatorError} `time_invalid` */
export const pointArg = (text: string): PointInTime =>
  /^\d{1,18}$/.test(text) ? { position: BigInt(text) } : { timeMs: timeArg(text) };
