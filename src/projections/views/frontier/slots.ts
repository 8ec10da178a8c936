import { sums, type Write } from '../../table/bulk-upsert.ts';
import {
  DUE_SLOT_MS,
  type DueRow,
  type DueSlotRow,
  dueSlotTable,
  NEVER_READ,
  type ReadSlotRow,
  readSlotTable,
  SPAN_MS,
  SPANS,
} from './tables.ts';

type Counted<Row> = Map<string, { -readonly [Name in keyof Row]: Row[Name] }>;

/** Changes of the counts of accounts by slot that a batch makes. Sums of what rows add: their order has no effect. */
export interface Slots {
  readonly due: Counted<DueSlotRow>;
  readonly read: Counted<ReadSlotRow>;
}

export const noSlots = (): Slots => ({ due: new Map(), read: new Map() });

/** Adds an account to the counts, or takes it out again. */
const count = ({ due, read }: Slots, row: DueRow, n: 1 | -1): void => {
  const { platform, pool, observed_at } = row;
  const dueSlot = observed_at === null ? NEVER_READ : Math.floor(Date.parse(row.due_at) / DUE_SLOT_MS);
  const dueKey = `${dueSlot} ${pool} ${platform}`;
  const counted = due.get(dueKey);
  if (counted === undefined) due.set(dueKey, { platform, pool, slot: dueSlot, n });
  else counted.n += n;
  if (observed_at === null) return;
  const readMs = Date.parse(observed_at);
  for (const span of SPANS) {
    const slot = Math.floor(readMs / SPAN_MS[span]);
    const key = `${slot} ${span} ${platform}`;
    const same = read.get(key);
    if (same === undefined) read.set(key, { platform, span, slot, n });
    else same.n += n;
  }
};

/** Counts an account by its changed row; `before` is undefined for a new one. */
export const moveSlots = (slots: Slots, before: DueRow | undefined, after: DueRow): void => {
  if (before !== undefined) count(slots, before, -1);
  count(slots, after, 1);
};

export const slotWrites = ({ due, read }: Slots): readonly Write[] => [
  sums(dueSlotTable, [...due.values()]),
  sums(readSlotTable, [...read.values()]),
];

export const clearSlots = ({ due, read }: Slots): void => {
  due.clear();
  read.clear();
};
