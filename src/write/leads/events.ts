import { z } from 'zod';
import { MAX_KEY } from '../accounts/post.ts';
import { event } from '../log/event-definition.ts';
import { address, count, instant, key, list, text } from '../log/event-fields.ts';

export const companyStream = (slug: string): string => `company-${slug}`;
export const decisionMakerStream = (slug: string): string => `decisionmaker-${slug}`;

const shown = text(500).nullable();

/** The reading that showed the oldest of the facts which this one did not show; absent if it showed all. */
const kept_since = instant.optional();

const read = { observed_at: instant, source: z.enum(['crawler', 'live']), surface: text(100) };

/**
 * Facts of LinkedIn pages as raw texts: classes of industries, titles and sizes belong to the read models, so that
 * a better classifier takes a rebuild and no new reading. Existence and followers are in the account's own stream.
 */
export const leadEvents = {
  /** The facts of a company page; null if the page does not show them. */
  CompanySighted: event({
    ...read,
    kept_since,
    slug: key(MAX_KEY),
    name: shown,
    description: text(10_000).nullable(),
    industry: shown,
    /** As shown: `51-200 employees`. */
    size: shown,
    /** The number that the page states apart from the size. */
    employees: count.nullable(),
    headquarters: shown,
    /** ISO 3166-1 alpha-2 or a name, as the page's structured data says it. */
    country: shown,
    founded: shown,
    website: address(2_048).nullable(),
    specialties: list(text(200), { max: 100, maxChars: 5_000, charsOf: (one) => one.length }).nullable(),
  }),
  /** The facts of a person's page. */
  DecisionMakerSighted: event({
    ...read,
    kept_since,
    slug: key(MAX_KEY),
    name: shown,
    /** The position as the page shows it. */
    title: text(1_000).nullable(),
    /** The employer that the page names first. */
    company: z.strictObject({ name: shown, slug: key(MAX_KEY).nullable() }).nullable(),
    location: shown,
    country: shown,
  }),
};
