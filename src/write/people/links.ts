import type { Candidate } from './account.ts';
import { isPage, pageName, type Target } from './targets.ts';

/** A page that more accounts than this link to says nothing about any two of them. */
export const MAX_SHARERS = 14;

/** What candidates link to, as far as it is another candidate or a page of theirs. */
export interface Links {
  /** Keys of the accounts that an account links to. */
  out(key: string): ReadonlySet<string>;
  /** How many accounts of the catalog link to a page; a number above `MAX_SHARERS` if many do. */
  sharers(page: Target): number;
  /** How many accounts of the catalog have a name, by its key; a number of at least `VERY_COMMON` if many do. */
  bearers(nameKey: string): number;
}

/** Names that so many accounts have say less, and those of so many next to nothing. */
export const COMMON = 128;
export const VERY_COMMON = 1024;

/** Pages that two accounts link to and few others do. */
export const commonPages = (a: Candidate, b: Candidate, links: Links): readonly Target[] =>
  a.targets.filter(
    (target) => isPage(target) && b.targets.includes(target) && links.sharers(target) <= MAX_SHARERS,
  );

/** Whether a page is named like the account. */
export const isNamedLike = (page: Target, { comparable }: Candidate): boolean =>
  comparable !== null && comparable.length > 3 && pageName(page) === comparable;

/** How many targets two accounts have in common if they have the same ones; 0 if they differ. */
export const equalTargets = (a: Candidate, b: Candidate): number => {
  if (a.targets.length === 0 || a.targets.length !== b.targets.length) return 0;
  const others = new Set(b.targets);
  return a.targets.every((target) => others.has(target)) ? a.targets.length : 0;
};

export const linksToAccounts = ({ targets }: Candidate): boolean => targets.some((target) => !isPage(target));
