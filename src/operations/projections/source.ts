import { systemClock } from '../../kernel/clock.ts';
import { chooseSource as choose, readSource, type Source } from '../../write/projection-control.ts';
import type { OperationsContext } from '../context.ts';
import { requireReason } from './builds.ts';

export type { Source } from '../../write/projection-control.ts';

/** Where read models that Kafka can feed get their events from. */
export const presentSource = ({ log }: Pick<OperationsContext, 'log'>): Promise<Source> => readSource(log);

/**
 * Has them follow another source. Running processes do so within seconds.
 * @returns false if it is the source already.
 * @throws {OperatorError} `reason_missing`
 */
export const chooseSource = (
  { log }: Pick<OperationsContext, 'log'>,
  source: Source,
  reason: string,
): Promise<boolean> => choose(log, source, requireReason(reason), systemClock.now());
