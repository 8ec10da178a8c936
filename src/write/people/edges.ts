import type { Candidate } from './account.ts';
import { relateHandles } from './handles.ts';
import { commonPages, type Links } from './links.ts';
import { relateNames } from './names.ts';

/**
 * Whether two accounts are compared at all, and how they hold a component together.
 * - `strong`: each links to the other, so that no account can connect itself to one that it does not own.
 * - `weak`: a link one way, or a page, between accounts whose names or handles agree.
 */
export type Edge = 'strong' | 'weak' | null;

export const edgeBetween = (a: Candidate, b: Candidate, links: Links): Edge => {
  const there = links.out(a.key).has(b.key);
  const back = links.out(b.key).has(a.key);
  if (there && back) return 'strong';
  if (!there && !back && commonPages(a, b, links).length === 0) return null;
  if (relateHandles(a.comparable, b.comparable) === 'equal') return 'weak';
  const name = relateNames(a.name, b.name);
  return name === 'equal' || name === 'alike' || name === 'short' || name === 'partial' ? 'weak' : null;
};

/** The most accounts of a component: a person has one a platform, and some adversaries. */
export const MAX_COMPONENT = 50;
