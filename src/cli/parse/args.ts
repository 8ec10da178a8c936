import { InvalidArgumentError } from 'commander';
import { durationMs, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { parseUsd } from '../../kernel/money.ts';
import { PROJECTION_NAMES } from '../../operations/help-constants.ts';
import type { PointInTime } from '../../operations/projections/builds.ts';

/** A position of the log. @throws {InvalidArgumentError} */
export const positionArg = (text: string): bigint => {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('A position is a whole number.');
  return BigInt(text);
};

/** A position, or a time of `recorded_at`. @throws {OperatorError} `time_invalid` */
export const pointArg = (text: string): PointInTime =>
  /^\d{1,18}$/.test(text) ? { position: BigInt(text) } : { timeMs: timeArg(text) };

/**
 * Parses an ISO 8601 time, by default in UTC, or a duration before now (`90s`, `15m`, `2h`, `7d`).
 * @returns ms since 1970.
 */
export const timeArg = (text: string): number => {
  const ago = durationMs(text);
  if (ago !== null) return systemClock.now() - ago;
  const zone = DATE_TIME.exec(text)?.[3];
  const at = DATE.test(text) || zone !== undefined ? text : DATE_TIME.test(text) ? `${text}Z` : '';
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) {
    throw new OperatorError(
      'time_invalid',
      `"${text}" is no time: write 2026-11-21T08:00:00Z, or 15m for a quarter of an hour ago`,
    );
  }
  return ms;
};

/** The same for a time to come: a duration is from now on. @returns ms since 1970. @throws {OperatorError} `time_invalid` */
export const untilArg = (text: string): number => {
  const ahead = durationMs(text);
  return ahead === null ? timeArg(text) : systemClock.now() + ahead;
};

export const projectionNames = PROJECTION_NAMES.join(', ');

/** Commander argument: a number of writers. @throws {InvalidArgumentError} */
export const writersArg = (text: string): number => {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Give a number from 1, as 2.');
  return Number(text);
};

/** Parses an amount of dollars. @returns micro-dollars. @throws {OperatorError} `argument_invalid` */
export const dollars = (text: string): bigint => {
  const micro = parseUsd(text);
  if (micro === null) {
    throw new OperatorError(
      'argument_invalid',
      `"${text}" is no amount: write dollars as 25, 25.00 or 0.0035, with up to six decimals`,
    );
  }
  return micro;
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;
