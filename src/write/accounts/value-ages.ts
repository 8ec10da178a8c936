import { z } from 'zod';
import type { Kept } from './kept.ts';
import { AGED_FIELDS, type AgedField, isEmptyValue } from './profile.ts';

/** The times of values that are older than the last reading. */
export type ValueTimes = Readonly<Partial<Record<AgedField, string>>>;

/** For rows, which the program wrote. */
export const valueTimesSchema = z.record(z.string(), z.string()) as z.ZodType<ValueTimes>;

const someOf = (times: readonly (readonly [string, string])[]): ValueTimes | null =>
  times.length === 0 ? null : Object.fromEntries(times);

/**
 * What views show of the values kept: without a time, one is as old as the account in the log; null if none is older than the
 * last reading that found the account.
 */
export const valueTimes = (kept: Kept, firstSeenAt: string, lastSeenAt: string): ValueTimes | null =>
  someOf(
    Object.entries(kept)
      .map(([field, at]) => [field, at ?? firstSeenAt] as const)
      .filter(([, at]) => at < lastSeenAt),
  );

/** An account as a row of a view has it. */
export interface AgedAccount {
  /** The last conclusive reading: that of the status. */
  readonly observed_at: string;
  /** The last reading that found it, and thus its values; null if none did. */
  readonly last_seen_at: string | null;
  /** Values that are older than that. */
  readonly kept: ValueTimes | null;
}

/** Values of an account that an answer shows, by field; others are of no account. */
export type ShownValues = Readonly<Partial<Record<AgedField, unknown>>>;

/** The times of the values shown that are older than the last reading; null if none is. */
export const olderValues = (
  { observed_at, last_seen_at, kept }: AgedAccount,
  shown: ShownValues,
): ValueTimes | null => {
  if (last_seen_at === null || (kept === null && last_seen_at === observed_at)) return null;
  const times = AGED_FIELDS.flatMap((field) => {
    // The last reading is of the status, unless it could not show that the account is private.
    if (
      field === 'status'
        ? shown.status !== 'private'
        : shown[field] === undefined || isEmptyValue(shown[field])
    )
      return [];
    const at = kept?.[field] ?? (field === 'status' ? observed_at : last_seen_at);
    return at < observed_at ? [[field, at] as const] : [];
  });
  return someOf(times);
};

/** When the oldest of the values shown was read. */
export const oldestShownAt = (account: AgedAccount, shown: ShownValues): string => {
  const older = olderValues(account, shown);
  if (older === null) return account.observed_at;
  return Object.values(older).reduce((oldest, at) => (at < oldest ? at : oldest));
};

/** The member of an answer that names older values. */
export const measuredAt = (older: ValueTimes | null): { readonly measured_at?: ValueTimes } =>
  older === null ? {} : { measured_at: older };
