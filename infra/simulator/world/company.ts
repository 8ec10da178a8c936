import { type Account, DAY } from './account.ts';
import { followersAt, sizeOf } from './growth.ts';
import { mix, unit } from './hash.ts';

const CREATED_FROM = Date.UTC(2008, 0, 1);

export const INDUSTRIES = [
  'Software Development',
  'Food and Beverage',
  'Logistics',
  'Design Services',
  'Biotechnology',
];
export const SPECIALTIES = ['analytics', 'hardware', 'retail', 'field research', 'training', 'open data'];

/** A LinkedIn company; it is never renamed or deleted. */
export const companyOf = (index: number, key: number, slug: string, at: number): Account => {
  const createdAt = Math.floor((CREATED_FROM + unit(key, 50) * 3650 * DAY) / 1000) * 1000;
  const name = slug.replace(/(^|-)(\w)/g, (_, dash, c) => `${dash ? ' ' : ''}${c.toUpperCase()}`);
  return {
    platform: 'linkedin',
    index,
    key,
    kind: 'company',
    status: at < createdAt ? 'absent' : 'active',
    quirks: new Set(),
    id: String(1000 + index),
    handle: `company:${slug}`,
    shown: slug,
    previousHandles: [],
    displayName: name,
    followers: followersAt(key, sizeOf(key) * 4, createdAt, at),
    following: 0,
    posts: Math.max(0, Math.floor((at - createdAt) / (9 * DAY))),
    hearts: 0,
    verified: false,
    createdAt,
    bio: `${name} builds things that last. Founded by people who could not find what they needed.`,
    location: ['Berlin', 'Austin, Texas', 'Lisboa', 'Singapore'][key & 3] as string,
    language: 'en',
    links: [`https://${slug}.example`],
    mentions: [],
    avatar: mix(key, 143).toString(36),
  };
};

export const employeesOf = (key: number): number => Math.floor(10 ** (0.5 + unit(key, 160) * 4));
