import { print, writeError } from '../../kernel/terminal.ts';
import type { Added, Changed } from '../../operations/pools/pools.ts';

/** Refused handles that are named. */
const NAMED = 20;

/** Reports what became of accounts that an operator named; the exit code is 1 if some were refused. */
export const reportAdded = ({ named, recruited, present, refused, erased, pool }: Added): void => {
  print(`${recruited} of ${named} accounts recruited, ${present} are in a pool already.`);
  reportRefused(pool, refused);
  if (erased.length === 0) return;
  writeError(`${erased.length} refused, since they were erased: ${some(erased)}.\n`);
  process.exitCode = 1;
};

/** Reports what became of accounts that an operator moved or removed; the exit code is 1 if some stayed where they were. */
export const reportMoved = (
  pool: string,
  what: 'moved to' | 'removed from',
  { named, changed, unknown, refused }: Changed,
): void => {
  print(`${changed} of ${named} accounts ${what} ${pool}.`);
  reportRefused(pool, refused);
  if (unknown.length === 0) return;
  const where = what === 'moved to' ? 'in no pool' : `not in ${pool}`;
  writeError(`${unknown.length} are ${where}: ${some(unknown)}.\n`);
  process.exitCode = 1;
};

const some = (handles: readonly string[]): string => {
  const more = handles.length > NAMED ? ` and ${handles.length - NAMED} more` : '';
  return `${handles.slice(0, NAMED).join(', ')}${more}`;
};

const reportRefused = (pool: string, refused: readonly string[]): void => {
  if (refused.length === 0) return;
  writeError(
    `${refused.length} refused, since ${pool} is full: ${some(refused)}. Raise its cap with sightline pools expand ${pool} --cap <n>, or name another pool.\n`,
  );
  process.exitCode = 1;
};
