import type { Platform } from '../../src/kernel/platform.ts';

/** A kind of page: whose, how it is found at the simulator, and whether it carries its data as JSON. */
export interface Case {
  readonly name: 'x' | 'x-rendered' | 'telegram';
  readonly title: string;
  readonly platform: Platform;
  readonly surface: string;
  readonly host: string;
  /** Path of an account's page. */
  readonly path: (handle: string) => string;
  readonly contestants: readonly ('ours' | 'cheerio' | 'http')[];
}

export const CASES: readonly Case[] = [
  {
    name: 'x',
    title: 'X page with JSON, an empty shell',
    platform: 'x',
    surface: 'page',
    host: 'x.com',
    path: (handle) => `/${handle}`,
    contestants: ['ours', 'http', 'cheerio'],
  },
  {
    name: 'x-rendered',
    title: 'X page with JSON, rendered markup',
    platform: 'x',
    surface: 'page',
    host: 'x.com',
    path: (handle) => `/${handle}?rendered`,
    contestants: ['ours', 'http', 'cheerio'],
  },
  {
    name: 'telegram',
    title: 'Telegram preview, no JSON',
    platform: 'telegram',
    surface: 'preview',
    host: 't.me',
    path: (handle) => `/s/${handle}`,
    contestants: ['ours', 'cheerio'],
  },
];

export const caseOf = (name: Case['name']): Case => CASES.find((each) => each.name === name) as Case;

/** Requests under way at once, for every contestant. */
export const AT_ONCE = 50;

/** What is taken out of a page, the same by every contestant. */
export interface Extract {
  readonly handle: string;
  readonly id: string | null;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly posts: number | null;
  readonly verified: boolean | null;
  readonly bio: string | null;
  readonly avatar_url: string | null;
  readonly links: readonly string[];
  /** Posts as they stand in the page. */
  readonly feed: readonly {
    readonly id: string;
    readonly at: string | null;
    readonly text: string | null;
    readonly media: string | null;
    readonly likes: number | null;
    readonly views: number | null;
  }[];
}

/** What a contestant is asked: fetch so many pages, beginning with the first of the list. */
export interface CrawlQuestion {
  readonly case: Case['name'];
  readonly origin: string;
  readonly handles: readonly string[];
  readonly pages: number;
  /** Whether to hand back what was extracted, for comparison. */
  readonly extracts: boolean;
}

export interface CrawlAnswer {
  readonly perSecond: number;
  /** Peak memory of the process so far. */
  readonly peakMb: number;
  readonly extracts: readonly Extract[];
}
