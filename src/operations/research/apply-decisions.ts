import { isoOf } from '../../kernel/clock.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { changePool, poolDecider } from '../../write/pools/decide.ts';
import { type PoolEvent, poolStream } from '../../write/pools/events.ts';
import type { ExpansionDecided } from '../../write/research/decide.ts';

type PoolChange = Exclude<PoolEvent, { type: 'PoolCreated' }>;

/** The pool's event that carries a decision out; null if it changes nothing. */
const changeOf = (
  { decision, action, tuning, pool, heir }: ExpansionDecided,
  at: string,
): PoolChange | null => {
  const { share, size_cap } = tuning;
  if (action === 'hold') return null;
  if (action === 'retire')
    return { type: 'PoolRetired', data: { at, decision, why: `research retired ${pool}`, heir } };
  if (share !== undefined && size_cap !== undefined)
    return { type: 'PoolExpanded', data: { at, decision, share, size_cap } };
  return { type: 'PoolTuned', data: { at, decision, ...tuning } };
};

/**
 * Carries decisions out. The pool knows the ID of each that it took: one that is carried out again changes nothing.
 * @returns how many changed a pool now.
 */
export const applyDecisions = async (
  log: EventLog,
  decisions: readonly ExpansionDecided[],
  nowMs: number,
): Promise<number> => {
  let applied = 0;
  for (const decided of decisions) {
    const event = changeOf(decided, isoOf(nowMs));
    if (event === null) continue;
    const { outcome } = await handleCommand(log, poolDecider, poolStream(decided.pool), changePool(event), {
      nowMs,
    });
    if (outcome !== null) applied++;
  }
  return applied;
};
