import { z } from 'zod';
import { breakingChanges } from './breaking-changes.ts';
import type { JsonObject } from './json.ts';

/** The record of breaking changes: those to come, and with a date those that the snapshot has. */
export const recordSchema = z.array(
  z.strictObject({
    change: z.string().min(1),
    reason: z.string().trim().min(10, 'must say why callers are broken'),
    /** When the snapshot took the change over, as 2026-11-22; absent until then. */
    accepted: z.iso.date().optional(),
  }),
);

export type ChangeRecord = z.infer<typeof recordSchema>;

/** What stands between the document that the code makes and the snapshot. */
export interface Acceptance {
  /** Breaking changes without a recorded reason. */
  readonly unexplained: readonly string[];
  /** Reasons that are recorded for no change there is. */
  readonly unused: readonly string[];
  /** Breaking changes whose reason is recorded. */
  readonly explained: readonly string[];
}

/** Compares the document that the code makes with the snapshot; everything is a breaking change's exact text. */
export const examine = (snapshot: JsonObject, document: JsonObject, record: ChangeRecord): Acceptance => {
  const changes = breakingChanges(snapshot, document);
  const pending = record.filter(({ accepted }) => accepted === undefined).map(({ change }) => change);
  return {
    unexplained: changes.filter((change) => !pending.includes(change)),
    unused: pending.filter((change, i) => !changes.includes(change) || pending.indexOf(change) !== i),
    explained: changes.filter((change) => pending.includes(change)),
  };
};
