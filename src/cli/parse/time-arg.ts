import { durationMs, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** An ISO 8601 time, in UTC where it names no zone, or how long ago: `90s`, `15m`, `2h`, `7d`. In milliseconds. */
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
