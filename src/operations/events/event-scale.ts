import { eventsBetween } from '../../write/log/events-between.ts';
import type { OperationsContext } from '../context.ts';

/** By the average density of the log. */
export const eventScale = async ({ log }: Pick<OperationsContext, 'log'>): Promise<EventScale> => {
  if ((log.positionsPerEvent ?? 1n) === 1n) return { positionsPerEvent: 1, isEstimate: false };
  const head = await log.head();
  const { events } = await eventsBetween(log, 0n, head);
  return { positionsPerEvent: events === 0n ? 1 : Number(head) / Number(events), isEstimate: true };
};

/** How positions of the log turn into events, which is what people count in. */
interface EventScale {
  readonly positionsPerEvent: number;
  /** Whether positions have gaps: counts of events are estimates then. */
  readonly isEstimate: boolean;
}
