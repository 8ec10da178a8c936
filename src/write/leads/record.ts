import { uuidV5 } from '../../kernel/ids.ts';
import type { Append, AppendOutcome, EventLog, Metadata } from '../log/port.ts';
import { decideLead, type LeadEvent, type LeadReading } from './decide.ts';
import { companyStream, decisionMakerStream } from './events.ts';
import type { LeadFacts } from './facts.ts';

const MAX_TRIES = 20;

/** Writes what a reading adds to the facts of a company or person. */
export interface LeadRecorder {
  /** The append of the facts, for the caller to make together with others; null if nothing is left to append. */
  pending(): Append | null;
  /** Notes the outcome of the pending append. */
  noted(outcome: AppendOutcome): Promise<void>;
  /** Appends what is still pending. */
  finish(): Promise<void>;
}

/**
 * Decides on the newest event of the lead's stream: an append that a crash prevented is made up for by the next
 * reading, whose facts still differ. The same reading again is the same event.
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
