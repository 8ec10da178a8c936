/** Facts of companies and people: events, decisions, and the recorder that appends them. */

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { uuidV5 } from '../kernel/ids.ts';
import { MAX_KEY } from './accounts/post.ts';
import {
  address,
  count,
  type EventData,
  type EventOf,
  event,
  instant,
  key,
  list,
  repaired,
  text,
} from './log/event-definition.ts';
import type { Append, AppendOutcome, EventLog, Metadata } from './log/port.ts';

type Data = EventData<typeof leadEvents>;

/** The fields that every event of a reading has besides its facts. */
type Read = 'observed_at' | 'source' | 'surface' | 'kept_since';

/** Facts of a company page, as raw texts; null where the page shows none. */
export type CompanyFacts = Omit<Data['CompanySighted'], Read>;

/** Facts of a person's page. */
export type PersonFacts = Omit<Data['DecisionMakerSighted'], Read>;

/**
 * The facts of one page. A page may lack the section that has them, for example for readers in another region. Facts that it leaves
 * out may then still hold.
 */
export type LeadFacts = { readonly isWhole: boolean } & (
  | { readonly kind: 'company'; readonly facts: CompanyFacts }
  | { readonly kind: 'person'; readonly facts: PersonFacts }
);

export const companyStream = (slug: string): string => `company-${slug}`;
export const decisionMakerStream = (slug: string): string => `decisionmaker-${slug}`;

const shortText = text(500).nullable();

/** Time of the reading that showed the oldest fact which this reading did not show; absent if it showed all facts. */
const kept_since = instant.optional();

const read = { observed_at: instant, source: z.enum(['crawler', 'live']), surface: text(100) };

/**
 * Facts of LinkedIn pages as raw texts. Read models classify industries, titles and sizes, so that a better classifier needs a
 * rebuild and no new reading. Whether the account exists and its followers are in the account's own stream.
 */
export const leadEvents = {
  /** The facts of a company page; null if the page does not show them. */
  CompanySighted: event({
    ...read,
    kept_since,
    slug: key(MAX_KEY),
    name: shortText,
    description: text(10_000).nullable(),
    industry: shortText,
    /** As shortText: `51-200 employees`. */
    size: shortText,
    /** The number of employees that the page states apart from the size. */
    employees: count.nullable(),
    headquarters: shortText,
    /** ISO 3166-1 alpha-2 code or a name, as in the structured data of the page. */
    country: shortText,
    founded: shortText,
    website: address(2_048).nullable(),
    specialties: list(text(200), { max: 100, maxChars: 5_000, charsOf: (one) => one.length }).nullable(),
  }),
  /** The facts of a person's page. */
  DecisionMakerSighted: event({
    ...read,
    kept_since,
    slug: key(MAX_KEY),
    name: shortText,
    /** The position in the form in which the page shows it. */
    title: text(1_000).nullable(),
    /** The employer that the page names first. */
    company: z.strictObject({ name: shortText, slug: key(MAX_KEY).nullable() }).nullable(),
    location: shortText,
    country: shortText,
  }),
};

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

/** Unchanged facts are recorded again this often, so that their age is known. More frequent readings add nothing. */
const CONFIRMED_MS = 3_600_000;

/** Whether a reading that shows the known facts in full makes them notably younger. */
const confirms = (known: LeadEvent['data'], sighted: LeadEvent['data']): boolean =>
  known.kept_since !== undefined ||
  Date.parse(sighted.observed_at) - Date.parse(known.observed_at) >= CONFIRMED_MS;

/** Fills the facts that an incomplete page leaves out with known ones. */
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
 * The event that a reading adds. Null if the known facts are newer, or are the same and were confirmed lately.
 * @param known the newest event of the stream; null if there is none.
 */
const decideLead = (known: LeadEvent | null, lead: LeadFacts, reading: LeadReading): LeadEvent | null => {
  const sighted = bounded(lead, reading);
  if (known === null) return sighted;
  if (known.data.observed_at >= sighted.data.observed_at) return null;
  const data = lead.isWhole ? sighted.data : completed(sighted.data, known.data);
  const isSame = isDeepStrictEqual(factsOf(data), factsOf(known.data));
  const isNews = !isSame || (lead.isWhole && confirms(known.data, data));
  return isNews ? ({ type: sighted.type, data } as LeadEvent) : null;
};

const MAX_TRIES = 20;

/** Writes what a reading adds to the facts of a company or person. */
export interface LeadRecorder {
  /** The pending append of the facts, which the caller makes together with others; null if there is none. */
  pending(): Append | null;
  /** Handles the outcome of the pending append. */
  noted(outcome: AppendOutcome): Promise<void>;
  /** Appends the facts that are still pending. */
  finish(): Promise<void>;
}

/**
 * Decides on the newest event of the lead's stream. If a crash prevents an append, the next reading makes up for it, since its
 * facts still differ. The same reading again is the same event.
 */
export const openLeadRecorder = async (
  log: EventLog,
  lead: LeadFacts,
  reading: LeadReading,
  metadata?: Metadata,
): Promise<LeadRecorder> => {
  const { slug } = lead.facts;
  const stream = lead.kind === 'company' ? companyStream(slug) : decisionMakerStream(slug);
  const decide = async (): Promise<Append | null> => {
    const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
    const event = decideLead((last as LeadEvent | undefined) ?? null, lead, reading);
    if (event === null) return null;
    const id = uuidV5(`${stream} ${JSON.stringify(event)}`);
    const events = [{ id, ...event, ...(metadata === undefined ? {} : { metadata }) }];
    return { stream, events, expected: last?.revision ?? 'no_stream' };
  };
  let append = await decide();
  const noted = async ({ status }: AppendOutcome): Promise<void> => {
    append = status === 'appended' ? null : await decide();
  };
  return {
    pending: () => append,
    noted,
    finish: async () => {
      for (let attempt = 0; append !== null; attempt++) {
        if (attempt === MAX_TRIES) throw new Error(`too many concurrent writers of ${stream}`);
        await noted(await log.append(append.stream, append.events, append.expected));
      }
    },
  };
};
