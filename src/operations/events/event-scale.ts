import { eventsBetween } from '../../write/log/events-between.ts';
import type { OperationsContext } from '../context.ts';

/** The scale of a log, by the average density of its positions. */
export const eventScale = async ({ log }: Pick<OperationsContext, 'log'>): Promise<EventScale> => {
  if ((log.positionsPerEvent ?? 1n) === 1n) return { positionsPerEvent: 1, isEstimate: false };
  const head = await log.head();
  const { events } = await eventsBetween(log, 0n, head);
  return { positionsPerEvent: events === 0n ? 1 : Number(head) / Number(events), isEstimate: true };
};

/** How to convert positions of the log into numbers of events. */
interface EventScale {
  readonly positionsPerEvent: number;
  /** Whether positions have gaps: counts of events are estimates then. */
  readonly isEstimate: boolean;
}
