import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { FindingRecorded } from '../../write/research/decide.ts';
import { applyDecisions, type Decided } from './apply-decisions.ts';
import { supersedeFormer } from './supersede.ts';

/** What the recorded part of a run is finished with. */
export interface Finishing {
  readonly log: EventLog;
  readonly db: Queryable;
  /** Schemas of read models. */
  readonly schemas: { readonly pools: string; readonly research: string };
  readonly clock: () => number;
}

/** What a run recorded. */
export interface RecordedRun extends Decided {
  readonly found: readonly FindingRecorded[];
  readonly observe_only: boolean;
}

/**
 * Does what follows from the events of a run: its findings supersede former ones, and its decisions are carried out. Idempotent.
 * @returns how many decisions changed a pool now.
 */
export const finishRun = async (
  { schemas, ...context }: Finishing,
  { found, observe_only, ...decided }: RecordedRun,
): Promise<number> => {
  await supersedeFormer({ ...context, schema: schemas.research }, found, decided.since);
  return observe_only ? 0 : applyDecisions({ ...context, schema: schemas.pools }, decided);
};
