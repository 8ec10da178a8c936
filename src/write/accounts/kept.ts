import { z } from 'zod';
import { instant } from '../log/event-fields.ts';
import { AGED_FIELDS, type AgedField, isEmptyValue, type Measurable, type Profile } from './profile.ts';

/** The times of the readings that showed values which a later one did not show; null where that is unknown. */
export const keptSchema = z.strictObject(
  Object.fromEntries(AGED_FIELDS.map((field) => [field, instant.nullable().optional()])) as {
    [Field in AgedField]: z.ZodOptional<z.ZodNullable<typeof instant>>;
  },
);

export type Kept = z.infer<typeof keptSchema>;

/** An account as its last reading left it: values, when that was, and those that are older. */
export interface Aged {
  readonly seen: { readonly status: 'active' | 'private'; readonly profile: Profile };
  /** Null if the events that are known do not say. */
  readonly seenAt: string | null;
  readonly kept: Kept;
}

export const NOTHING_KEPT: Kept = {};

/** Whether there is a value that has an age. A reading shows that an account is active, but may not show that it is private. */
const hasValue = (seen: Aged['seen'], field: AgedField): boolean =>
  field === 'status' ? seen.status === 'private' : !isEmptyValue(seen.profile[field]);

/** When a value was last shown. */
const shownAt = ({ seenAt, kept }: Omit<Aged, 'seen'>, field: AgedField): string | null => {
  const at = kept[field];
  return at === undefined ? seenAt : at;
};

const keptOf = (fields: readonly AgedField[], before: Omit<Aged, 'seen'>): Kept =>
  fields.length === 0
    ? NOTHING_KEPT
    : Object.fromEntries(fields.map((field) => [field, shownAt(before, field)]));

/** What is kept of an account by a reading that shows nothing of some fields. */
export const keptBy = (before: Aged, found: Aged['seen'], measured: readonly Measurable[]): Kept =>
  keptOf(
    AGED_FIELDS.filter(
      (field) =>
        hasValue(before.seen, field) &&
        !hasValue(found, field) &&
        !measured.includes(field === 'status' ? 'private' : field),
    ),
    before,
  );

/**
 * What an event kept, with the times that only the account before it knows.
 * @param kept absent if nothing.
 * @param before the account before it; null if that is unknown.
 */
export const keptAfter = (kept: Kept | undefined, before: Omit<Aged, 'seen'> | null): Kept => {
  if (kept === undefined) return NOTHING_KEPT;
  if (before === null) return kept;
  return Object.fromEntries(
    Object.entries(kept).map(([field, at]) => [field, at ?? shownAt(before, field as AgedField)]),
  );
};
