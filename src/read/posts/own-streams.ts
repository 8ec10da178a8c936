import { handleIn } from '../../platforms/index.ts';
import type { Entry } from '../directory/entry.ts';

/** Names of the streams in which an entry's posts may be recorded. */
export const namesOf = ({ platform, handle, id, previous_handles }: Entry): readonly string[] => [
  ...new Set([
    ...(handle === null ? [] : [handle]),
    ...previous_handles,
    // Until its handle is known, an account is followed by its native ID.
    ...(id !== null && handleIn(platform, id) === null ? [id] : []),
  ]),
];

/**
 * Whether posts recorded under a name are the entry's. A former handle may have another owner by now; the present
 * one's posts may be of a reading that showed no ID.
 */
export const isOwn = (entry: Entry, name: string, nativeId: string | null): boolean =>
  nativeId === null || entry.id === null ? !entry.previous_handles.includes(name) : nativeId === entry.id;
