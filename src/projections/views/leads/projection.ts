import type { Queryable } from '../../../kernel/postgres/pool.ts';
import type { LeadEvent } from '../../../write/leads/decide.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { upserts, writeAll } from '../../table/bulk-upsert.ts';
import { countryCode } from './countries.ts';
import { industryKey } from './industry.ts';
import { sizeBand } from './size-band.ts';
import {
  type CompanyRow,
  companyTable,
  type DecisionMakerRow,
  decisionMakerTable,
  indexes,
  tables,
} from './tables.ts';
import { classifyTitle } from './titles/classify-title.ts';

/** Rows to write, by slug. Each is a function of the newest event of its stream, so that none has to be loaded. */
interface State {
  readonly companies: Map<string, CompanyRow>;
  readonly decisionMakers: Map<string, DecisionMakerRow>;
}

/** A year in a text, as `1920` or `Gegründet 1920`. */
const yearOf = (founded: string | null): number | null => {
  const year = /(?<!\d)\d{4}(?!\d)/.exec(founded ?? '')?.[0];
  return year === undefined ? null : Number(year);
};

const factsAt = ({ observed_at, kept_since = observed_at }: LeadEvent['data']): string => kept_since;

const handlers: Handlers<State> = {
  CompanySighted: ({ companies }, { data }) => {
    companies.set(data.slug, {
      slug: data.slug,
      observed_at: data.observed_at,
      facts_at: factsAt(data),
      name: data.name,
      description: data.description,
      industry: data.industry,
      industry_key: industryKey(data.industry),
      size_band: sizeBand(data.size, data.employees),
      employees: data.employees,
      headquarters: data.headquarters,
      country: countryCode(data.country, data.headquarters),
      founded: yearOf(data.founded),
      website: data.website,
      specialties: data.specialties,
    });
  },
  DecisionMakerSighted: ({ decisionMakers }, { data }) => {
    const classes = classifyTitle(data.title ?? '');
    decisionMakers.set(data.slug, {
      slug: data.slug,
      observed_at: data.observed_at,
      facts_at: factsAt(data),
      name: data.name,
      title: data.title,
      seniority: classes.seniority,
      job_function: classes.function,
      company_slug: data.company?.slug ?? null,
      company_name: data.company?.name ?? null,
      location: data.location,
      country: countryCode(data.country, data.location),
    });
  },
};

const apply = dispatch(handlers);

/** Rows that a new build buffers. */
const MAX_BUFFERED = 20_000;

const open = (schema: string): Fold => {
  const state: State = { companies: new Map(), decisionMakers: new Map() };
  const reset = () => {
    state.companies.clear();
    state.decisionMakers.clear();
  };
  return {
    load: async () => undefined,
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      await writeAll(db, schema, [
        upserts(companyTable, [...state.companies.values()]),
        upserts(decisionMakerTable, [...state.decisionMakers.values()]),
      ]);
      reset();
    },
    building: {
      flush: async () => undefined,
      isFull: () => state.companies.size + state.decisionMakers.size > MAX_BUFFERED,
    },
    reset,
  };
};

/** Companies and people of LinkedIn, with classes of their sizes, industries, countries and titles. */
export const leads: Projection = {
  name: 'leads',
  version: 1,
  order: 'stream',
  types: typesOf(handlers),
  streamPrefixes: ['company-', 'decisionmaker-'],
  parks: ['company-', 'decisionmaker-'],
  tables,
  indexes,
  open,
};
