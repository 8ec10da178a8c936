import { type Account, DAY } from '../account.ts';
import { pictureToken } from '../evidence.ts';
import type { Growth } from '../growth.ts';
import { pick, unit } from '../hash.ts';
import { COUNTRIES, INDUSTRIES, SPECIALTIES } from './places.ts';

const CREATED_FROM = Date.UTC(2008, 0, 1);

/** What a company says of itself. */
export interface CompanyFacts {
  readonly slug: string;
  readonly name: string;
  readonly industry: string;
  readonly employees: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly countryName: string;
  readonly headquarters: string;
  readonly founded: number;
  readonly specialties: readonly string[];
  readonly website: string;
}

const createdAtOf = (key: number): number =>
  Math.floor((CREATED_FROM + unit(key, 50) * 3650 * DAY) / 1000) * 1000;

export const companyFacts = (key: number, slug: string): CompanyFacts => {
  const [country, countryName, towns] = pick(COUNTRIES, key, 165);
  return {
    slug,
    name: slug.replace(/(^|-)(\w)/g, (_, dash, c) => `${dash ? ' ' : ''}${c.toUpperCase()}`),
    industry: pick(INDUSTRIES, key, 171),
    employees: Math.floor(10 ** (0.5 + unit(key, 160) * 4)),
    country,
    countryName,
    headquarters: pick(towns, key, 166),
    founded: new Date(createdAtOf(key)).getUTCFullYear() - Math.floor(unit(key, 167) ** 3 * 60),
    specialties: [...new Set([pick(SPECIALTIES, key, 172), pick(SPECIALTIES, key, 173)])],
    website: `https://${slug}.example`,
  };
};

/** A LinkedIn company; it is never renamed or deleted. */
export const companyOf = (
  index: number,
  key: number,
  slug: string,
  idOf: (createdAt: number) => string,
  at: number,
  growth: Growth,
): Account => {
  const createdAt = createdAtOf(key);
  const facts = companyFacts(key, slug);
  const { name } = facts;
  const size = 30 * facts.employees ** 0.9;
  return {
    platform: 'linkedin',
    index,
    key,
    kind: 'company',
    status: at < createdAt ? 'absent' : 'active',
    quirks: new Set(),
    id: idOf(createdAt),
    author: 0,
    handle: `company:${slug}`,
    shown: slug,
    previousHandles: [],
    displayName: name,
    followers: Math.floor(
      growth.at('linkedin', { key, size, createdAt, volatility: 0.002, trend: 0.0001 }, at),
    ),
    following: 0,
    posts: 0,
    hearts: 0,
    verified: false,
    createdAt,
    bio: `${name} builds things that last. Founded by people who could not find what they needed.`,
    location: facts.headquarters,
    language: 'en',
    links: [facts.website],
    mentions: [],
    avatar: pictureToken(key, index, 0),
    hasAvatar: true,
  };
};
