import type { EventData } from '../log/event-definition.ts';
import type { leadEvents } from './events.ts';

type Data = EventData<typeof leadEvents>;

/** What every event of a reading has besides its facts. */
type Read = 'observed_at' | 'source' | 'surface' | 'kept_since';

/** Facts of a company page, as raw texts; null where the page shows none. */
export type CompanyFacts = Omit<Data['CompanySighted'], Read>;

/** Facts of a person's page. */
export type PersonFacts = Omit<Data['DecisionMakerSighted'], Read>;

/**
 * Facts of one page. A page may lack the section that has them, as for readers of another region: what it leaves out is
 * then not known to be gone.
 */
export type LeadFacts = { readonly isWhole: boolean } & (
  | { readonly kind: 'company'; readonly facts: CompanyFacts }
  | { readonly kind: 'person'; readonly facts: PersonFacts }
);
