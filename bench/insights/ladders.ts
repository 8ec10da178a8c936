import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { serve } from '../support/child.ts';

export interface LaddersQuestion {
  readonly url: string;
  /** Computations, one after the other. */
  readonly times: number;
}

/** Computes ladders as the role research does. @returns milliseconds of each computation. */
const run = async ({ url, times }: LaddersQuestion): Promise<readonly number[]> => {
  const db = createPool(url, { max: 2, logger: silentLogger, name: 'bench ladders' });
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const found: number[] = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    await computeLadders({ db, log });
    found.push(performance.now() - began);
  }
  await log.close();
  await db.end();
  return found;
};

if (import.meta.main) serve(run);
