/** Claims: links between a person's accounts and others that are not confirmed. They make no person. */

import type { Candidate } from './account.ts';
import { relateHandles, relateNames } from './names.ts';

/** What accompanies a claim. But for a link both ways, all of it is in the hands of who links. */
export const CLAIM_EVIDENCE_KINDS = [
  'bio_link',
  'mutual_link',
  'equal_name',
  'compatible_name',
  'equal_handle',
  'similar_handle',
  'equal_bio',
  'equal_picture',
  'disclaimer',
  'claimant_verified',
] as const;
export type ClaimEvidenceKind = (typeof CLAIM_EVIDENCE_KINDS)[number];

/** What agrees of two accounts besides a link. */
export const agreementsOf = (a: Candidate, b: Candidate): readonly ClaimEvidenceKind[] => {
  const name = relateNames(a.name, b.name);
  const handle = relateHandles(a.comparable, b.comparable);
  return [
    ...(name === 'equal' ? (['equal_name'] as const) : []),
    ...(name === 'alike' || name === 'short' ? (['compatible_name'] as const) : []),
    ...(handle === 'equal' ? (['equal_handle'] as const) : []),
    ...(handle === 'alike' ? (['similar_handle'] as const) : []),
    ...(a.intro !== null && a.intro === b.intro ? (['equal_bio'] as const) : []),
    ...(a.picture !== null && a.picture === b.picture ? (['equal_picture'] as const) : []),
  ];
};

const OF_NAMES: readonly ClaimEvidenceKind[] = [
  'equal_name',
  'compatible_name',
  'equal_handle',
  'similar_handle',
];

/** Whether name or handle agree. Without that, who links to a person says nothing that a caller would want to read. */
export const isNamedAlike = (agreements: readonly ClaimEvidenceKind[]): boolean =>
  agreements.some((kind) => OF_NAMES.includes(kind));
