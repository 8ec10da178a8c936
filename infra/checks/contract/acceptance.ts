import { z } from 'zod';
import type { JsonObject } from '../../../src/api/contract/json.ts';
import { breakingChanges } from './breaking-changes.ts';

/** The record of breaking changes; `accepted` ones are in the snapshot already. */
export const recordSchema = z.array(
  z.strictObject({
    change: z.string().min(1),
    reason: z.string().trim().min(10, 'must say why callers are broken'),
    /** When the snapshot accepted the change, as 2026-11-22; absent until then. */
    accepted: z.iso.date().optional(),
  }),
);

export type ChangeRecord = z.infer<typeof recordSchema>;

/** Differences between the generated document and the snapshot. */
export interface Acceptance {
  /** Breaking changes without a recorded reason. */
  readonly unexplained: readonly string[];
  /** Recorded reasons without a matching change. */
  readonly unused: readonly string[];
  /** Breaking changes with a recorded reason. */
  readonly explained: readonly string[];
}

/** Compares the generated document with the snapshot, by the exact text of each breaking change. */
export const examine = (snapshot: JsonObject, document: JsonObject, record: ChangeRecord): Acceptance => {
  const changes = breakingChanges(snapshot, document);
  const pending = record.filter(({ accepted }) => accepted === undefined).map(({ change }) => change);
  return {
    unexplained: changes.filter((change) => !pending.includes(change)),
    unused: pending.filter((change, i) => !changes.includes(change) || pending.indexOf(change) !== i),
    explained: changes.filter((change) => pending.includes(change)),
  };
};
