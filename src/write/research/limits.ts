import { z } from 'zod';
import type { Limits } from './policy/policy.ts';

/** Limits of runs, with what each may be. */
export const limitsSchema = z.strictObject({
  share_factor_per_hour: z.number().min(1).max(1_000),
  size_factor_per_hour: z.number().min(1).max(1_000),
  size_cap: z.int().positive().max(2_000_000_000),
  floor: z.number().min(0.01).max(1),
  half_life_h: z.number().min(1).max(39),
  draws: z.int().min(1).max(1_000),
}) satisfies z.ZodType<Limits>;

/** What a run may decide at most, and whether it carries out anything. */
export interface RunLimits {
  readonly limits: Limits;
  /** Pools that it may change; null for all. */
  readonly pools: readonly string[] | null;
  readonly observe_only: boolean;
}

/** Says of each pool whether limits allow that a run changes it. */
export const mayChangeOf = ({ pools }: Pick<RunLimits, 'pools'>): ((pool: string) => boolean) => {
  const named = pools === null ? null : new Set(pools);
  return (pool) => named?.has(pool) ?? true;
};
