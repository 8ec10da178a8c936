import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { companyStream, type LeadEvent } from '../../../write/leads.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { deleteRows, upserts, writeAll } from '../../table/bulk.ts';
import {
  type CompanyRow,
  companyTable,
  type DecisionMakerRow,
  decisionMakerTable,
  indexes,
  industryKey,
  sizeBand,
  tables,
} from './tables.ts';
import { classifyTitle } from './titles/classify-title.ts';

/** Rows to write, by slug, null for one to delete. Each is a function of the newest event of its stream, so that none has to be loaded. */
interface State {
  readonly companies: Map<string, CompanyRow | null>;
  readonly decisionMakers: Map<string, DecisionMakerRow | null>;
}

/** A year in a text, as `1920` or `Gegründet 1920`. */
const yearOf = (founded: string | null): number | null => {
  const year = /(?<!\d)\d{4}(?!\d)/.exec(founded ?? '')?.[0];
  return year === undefined ? null : Number(year);
};

const factsAt = ({ observed_at, kept_since = observed_at }: LeadEvent['data']): string => kept_since;

const handlers = {
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
  LeadErased: ({ companies, decisionMakers }, { stream, data }) => {
    if (data.since !== null) return;
    const rows = stream.startsWith(companyStream('')) ? companies : decisionMakers;
    rows.set(stream.slice(stream.indexOf('-') + 1), null);
  },
} satisfies Handlers<State>;

const apply = dispatch(handlers);

/** Rows that a new build buffers. */
const MAX_BUFFERED = 20_000;

const knownOf = <Row>(rows: ReadonlyMap<string, Row | null>): readonly Row[] =>
  [...rows.values()].flatMap((row) => (row === null ? [] : [row]));

const erasedOf = (rows: ReadonlyMap<string, unknown>): readonly { readonly slug: string }[] =>
  [...rows].flatMap(([slug, row]) => (row === null ? [{ slug }] : []));

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
      await deleteRows(db, schema, companyTable, erasedOf(state.companies));
      await deleteRows(db, schema, decisionMakerTable, erasedOf(state.decisionMakers));
      await writeAll(db, schema, [
        upserts(companyTable, knownOf(state.companies)),
        upserts(decisionMakerTable, knownOf(state.decisionMakers)),
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
  version: 2,
  order: 'stream',
  types: typesOf(handlers),
  forgets: handlers.LeadErased,
  streamPrefixes: ['company-', 'decisionmaker-'],
  parks: ['company-', 'decisionmaker-'],
  tables,
  indexes,
  open,
};

/** Languages in which LinkedIn shows names of countries. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'tr', 'ja', 'zh', 'ar', 'sv', 'cs'];

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Names that don't identify a country at the end of an address: states, and cities. */
const AMBIGUOUS = new Set(['georgia', 'jersey', 'lebanon', 'peru', 'cuba', 'jordan', 'guadalupe']);

const OTHER_NAMES: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  usa: 'US',
  'u.s.a.': 'US',
  'u.s.': 'US',
  us: 'US',
  'united states of america': 'US',
  'czech republic': 'CZ',
  holland: 'NL',
  'the netherlands': 'NL',
  'russian federation': 'RU',
  'republic of korea': 'KR',
  'south korea': 'KR',
  uae: 'AE',
  turkey: 'TR',
};

/** Unions, and codes for private use. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'UN', 'ZZ', 'XA', 'XB', 'QO']);

/** Former codes have the name of the country that followed. */
const isCurrent = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code;

const folded = (name: string): string =>
  name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();

let codes: Map<string, string> | undefined;

/** Codes by name, and by themselves. Made on first use: it takes some milliseconds. */
const codesByName = (): Map<string, string> => {
  if (codes !== undefined) return codes;
  codes = new Map(Object.entries(OTHER_NAMES));
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const known = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => english.of(code) !== undefined && isCurrent(code) && !NO_COUNTRY.has(code),
  );
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of known) {
      const name = names.of(code);
      if (name !== undefined && !codes.has(folded(name))) codes.set(folded(name), code);
    }
  }
  for (const code of known) codes.set(code.toLowerCase(), code);
  return codes;
};

const codeOf = (text: string): string | null => codesByName().get(folded(text)) ?? null;

/**
 * ISO 3166-1 alpha-2 code of a country; null if it can't be known.
 * @param country a code, or a name in one of several languages.
 * @param address town, region and perhaps country, with commas between; decides only if there is no country.
 */
export const countryCode = (country: string | null, address: string | null): string | null => {
  if (country !== null && country.trim() !== '') return codeOf(country);
  const last = address?.split(',').at(-1) ?? '';
  // Two letters at the end of an address are more often a state than a country.
  return folded(last).length <= 2 || AMBIGUOUS.has(folded(last)) ? null : codeOf(last);
};
