import { print, writeError } from '../../kernel/terminal.ts';
import type { Added } from '../../operations/pools/pools.ts';

/** Refused handles that are named. */
const NAMED = 20;

/** Reports what became of accounts that an operator named; the exit code is 1 if some were refused. */
export const reportAdded = ({ named, recruited, present, refused, pool }: Added): void => {
  print(`${recruited} of ${named} accounts recruited, ${present} are in a pool already.`);
  if (refused.length === 0) return;
  const more = refused.length > NAMED ? ` and ${refused.length - NAMED} more` : '';
  writeError(
    `${refused.length} refused, since ${pool} is full: ${refused.slice(0, NAMED).join(', ')}${more}. Raise its cap with sightline pools expand ${pool} --cap <n>, or add them to another pool.\n`,
  );
  process.exitCode = 1;
};
