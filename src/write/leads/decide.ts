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

const factsOf = ({ observed_at: _, source: __, surface: ___, ...facts }: LeadEvent['data']) => facts;

/** What a page without its section of facts leaves open is kept as it was known. */
const completed = (data: LeadEvent['data'], known: LeadEvent['data']): LeadEvent['data'] => {
  const filled = Object.entries(data).map(([name, value]) => [
    name,
    value ?? (known as Readonly<Record<string, unknown>>)[name] ?? null,
  ]);
  return Object.fromEntries(filled) as LeadEvent['data'];
};

/**
 * The event that a reading adds; null if its facts are those that are known, or older than they are.
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
  return isDeepStrictEqual(factsOf(data), factsOf(known.data))
    ? null
    : ({ type: sighted.type, data } as LeadEvent);
};
