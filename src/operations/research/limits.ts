import { z } from 'zod';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { EventData } from '../../write/log/event-definition.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { DEFAULT_LIMITS, type Limits } from '../../write/research/policy.ts';
import {
  LIMITS_STREAM,
  limitsSchema,
  type RunLimits,
  type researchEvents,
} from '../../write/research/research.ts';
import type { OperationsContext } from '../context.ts';
import { poolNamed } from '../pools/pools.ts';

export type { RunLimits } from '../../write/research/research.ts';

/** Limits, and the event that set them; null for the defaults. */
export interface ActiveLimits extends RunLimits {
  readonly set: string | null;
}

/** The limits that an event sets; the defaults without one. */
export const limitsOf = (event: RecordedEvent | undefined): ActiveLimits => {
  if (event === undefined) return { ...DEFAULTS, set: null };
  const { limits, pools, observe_only } = event.data as LimitsSet;
  return { limits: limitsSchema.parse({ ...DEFAULT_LIMITS, ...limits }), pools, observe_only, set: event.id };
};

/** The limits that operators set last; the defaults before. */
export const readActiveLimits = async ({ log }: Pick<OperationsContext, 'log'>): Promise<ActiveLimits> => {
  const [last] = await log.readStream(LIMITS_STREAM, { direction: 'backwards', limit: 1 });
  return limitsOf(last);
};

export const readLimits = async (context: Pick<OperationsContext, 'log'>): Promise<RunLimits> => {
  const { set: _, ...limits } = await readActiveLimits(context);
  return limits;
};

/** Limits that change; those left out stay. */
export interface LimitChanges extends Partial<Omit<RunLimits, 'limits'>> {
  readonly limits?: Partial<Limits>;
}

/**
 * Limits what runs decide from the next one on.
 * @throws {OperatorError} `argument_invalid`, `pool_unknown`
 */
export const setLimits = async (context: OperationsContext, changes: LimitChanges): Promise<RunLimits> => {
  const before = await readLimits(context);
  const parsed = limitsSchema.safeParse({ ...before.limits, ...changes.limits });
  if (!parsed.success)
    throw new OperatorError(
      'argument_invalid',
      `These limits can't be set:\n${z.prettifyError(parsed.error)}`,
    );
  for (const pool of changes.pools ?? []) await poolNamed(context, pool);
  const next: RunLimits = {
    limits: parsed.data,
    pools: changes.pools === undefined ? before.pools : changes.pools,
    observe_only: changes.observe_only ?? before.observe_only,
  };
  const nowMs = systemClock.now();
  const data = { at: isoOf(nowMs), ...next };
  await context.log.append(LIMITS_STREAM, [{ id: uuidV7(nowMs), type: 'ResearchLimitsSet', data }], 'any');
  return next;
};

type LimitsSet = EventData<typeof researchEvents>['ResearchLimitsSet'];

const DEFAULTS: RunLimits = { limits: DEFAULT_LIMITS, pools: null, observe_only: false };
