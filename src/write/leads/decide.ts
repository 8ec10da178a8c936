import { isDeepStrictEqual } from 'node:util';
import { repaired } from '../log/codec/repair.ts';
import type { EventOf } from '../log/event-definition.ts';
import { leadEvents } from './events.ts';
import type { LeadFacts } from './facts.ts';

export type LeadEvent = EventOf<typeof leadEvents>;

/** When, how and by which surface facts were read. */
export type LeadReading = Pick<LeadEvent['data'], 'observed_at' | 'source' | 'surface'>;

const bounded = ({ kind, facts }: LeadFacts, reading: LeadReading): LeadEvent => {
  const type = kind === 'company' ? 'CompanySighted' : 'DecisionMakerSighted';
  // The schema of the type repairs its data.
  return { type, data: repaired(leadEvents[type].schema, { ...reading, ...facts }) } as LeadEvent;
};

const factsOf = ({
  observed_at: _,
  source: __,
  surface: ___,
  kept_since: ____,
  ...facts
}: LeadEvent['data']) => facts;

/** Facts are confirmed this often, so that their age is known; a reading adds nothing more often. */
const CONFIRMED_MS = 3_600_000;

/** Whether a reading that shows the known facts, all of them, makes them notably younger. */
const confirms = (known: LeadEvent['data'], sighted: LeadEvent['data']): boolean =>
  known.kept_since !== undefined ||
  Date.parse(sighted.observed_at) - Date.parse(known.observed_at) >= CONFIRMED_MS;

/** What a page without its section of facts leaves open is kept as it was known. */
const completed = (data: LeadEvent['data'], known: LeadEvent['data']): LeadEvent['data'] => {
  const values = known as Readonly<Record<string, unknown>>;
  const open = Object.entries(factsOf(data)).filter(
    ([name, value]) => value === null && values[name] != null,
  );
  if (open.length === 0) return data;
  return {
    ...data,
    ...Object.fromEntries(open.map(([name]) => [name, values[name]])),
    kept_since: known.kept_since ?? known.observed_at,
  } as LeadEvent['data'];
};

/**
 * The event that a reading adds; null if its facts are those that are known and were lately confirmed, or older than they are.
 * @param known the newest event of the stream; null if there is none.
 */
export const decideLead = (
  known: LeadEvent | null,
  lead: LeadFacts,
  reading: LeadReading,
): LeadEvent | null => {
  const sighted = bounded(lead, reading);
  if (known === null) return sighted;
  if (known.data.observed_at >= sighted.data.observed_at) return null;
  const data = lead.isWhole ? sighted.data : completed(sighted.data, known.data);
  const isSame = isDeepStrictEqual(factsOf(data), factsOf(known.data));
  const isNews = !isSame || (lead.isWhole && confirms(known.data, data));
  return isNews ? ({ type: sighted.type, data } as LeadEvent) : null;
};
