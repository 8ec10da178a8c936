import { sums, type Write } from '../../table/bulk-upsert.ts';
import {
  type DueRow,
  type DueSlotRow,
  dueSlotTable,
  NEVER_READ,
  type ReadSlotRow,
  readSlotTable,
  SLOT_MS,
} from './tables.ts';

/** Changes of the counts of accounts by slot that a batch makes. Sums of what rows add: their order has no effect. */
export interface Slots {
  readonly due: Map<string, DueSlotRow>;
  readonly read: Map<string, ReadSlotRow>;
}

export const noSlots = (): Slots => ({ due: new Map(), read: new Map() });

const slotOf = (at: string): number => Math.floor(Date.parse(at) / SLOT_MS);

/** Adds an account to the counts, or takes it out again. */
const count = ({ due, read }: Slots, row: DueRow, sign: 1 | -1): void => {
  const { platform, pool, observed_at } = row;
  const dueSlot = observed_at === null ? NEVER_READ : slotOf(row.due_at);
  const dueKey = `${platform} ${dueSlot} ${pool}`;
  due.set(dueKey, { platform, pool, slot: dueSlot, n: (due.get(dueKey)?.n ?? 0) + sign });
  if (observed_at === null) return;
  const slot = slotOf(observed_at);
  const readKey = `${platform} ${slot}`;
  read.set(readKey, { platform, slot, n: (read.get(readKey)?.n ?? 0) + sign });
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
