import { isoOf } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { readOpenFindings } from '../../read/research/open-findings.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { type FindingRecorded, runDecider, supersedeFindings } from '../../write/research/decide.ts';
import { researchStream } from '../../write/research/events.ts';
import { keyOf } from './known-findings.ts';

/**
 * Gives all open findings of the kinds and subjects that a run found again their successors. Idempotent: it is repeated for a run whose
 * process ended before it was done.
 * @param schema of the read model of research.
 * @param before position of the run's first event: findings of later runs stay.
 */
export const supersedeFormer = async (
  {
    log,
    db,
    schema,
    clock,
  }: {
    readonly log: EventLog;
    readonly db: Queryable;
    readonly schema: string;
    readonly clock: () => number;
  },
  found: readonly FindingRecorded[],
  before: bigint,
): Promise<void> => {
  if (found.length === 0) return;
  const successors = new Map(found.map((each) => [keyOf(each), each.finding]));
  const former = await readOpenFindings(db, schema, found, before);
  for (const [run, some] of Map.groupBy(former, (each) => each.run)) {
    const nowMs = clock();
    const own = new Map(some.map((each) => [each.id, successors.get(keyOf(each)) as string]));
    await handleCommand(log, runDecider, researchStream(run), supersedeFindings(isoOf(nowMs), own), {
      nowMs,
    });
  }
};
