import { isoOf } from '../../kernel/clock.ts';
import type { Sighting } from '../../write/accounts/account.ts';
import type { Reading } from '../platforms/adapter.ts';

/** A reading that proves something. */
export type ConclusiveReading = Exclude<Reading, { readonly status: 'unknown' }>;

export const sightingOf = (
  reading: ConclusiveReading,
  observedAtMs: number,
  source: Sighting['source'],
): Sighting => {
  const read = { observedAt: isoOf(observedAtMs), source, surface: reading.surface };
  if (reading.status === 'present' || reading.status === 'private') {
    const status = reading.status === 'present' ? 'active' : 'private';
    return {
      ...read,
      ...(reading.facts === undefined ? {} : { facts: reading.facts }),
      found: {
        status,
        profile: reading.profile,
        posts: reading.posts,
        measured: reading.measured,
        ...(reading.postOrder === undefined ? {} : { postOrder: reading.postOrder }),
        ...(reading.postsSince === undefined ? {} : { postsSince: reading.postsSince }),
      },
    };
  }
  return { ...read, found: { status: reading.status } };
};
