import { sums, type Write } from '../../table/bulk-upsert.ts';
import {
  type DueRow,
  type DueSlotRow,
  dueSlotTable,
  NEVER_READ,
  type ReadSlotRow,
  readSlotTable,
  SPAN_MS,
  SPANS,
} from './tables.ts';

/** Changes of the counts of accounts by slot that a batch makes. Sums of what rows add: their order has no effect. */
export interface Slots {
  readonly due: Map<string, DueSlotRow>;
  readonly read: Map<string, ReadSlotRow>;
}

export const noSlots = (): Slots => ({ due: new Map(), read: new Map() });

const add = <Row extends { readonly n: number }>(rows: Map<string, Row>, key: string, row: Row): void => {
  rows.set(key, { ...row, n: row.n + (rows.get(key)?.n ?? 0) });
};

/** Adds an account to the counts, or takes it out again. */
const count = ({ due, read }: Slots, row: DueRow, n: 1 | -1): void => {
  const { platform, pool, observed_at } = row;
  if (observed_at === null) {
    const span = 'long';
    add(due, `${platform} ${span} ${NEVER_READ} ${pool}`, { platform, pool, span, slot: NEVER_READ, n });
    return;
  }
  for (const span of SPANS) {
    const slotOf = (at: string) => Math.floor(Date.parse(at) / SPAN_MS[span]);
    const [dueSlot, readSlot] = [slotOf(row.due_at), slotOf(observed_at)];
    add(due, `${platform} ${span} ${dueSlot} ${pool}`, { platform, pool, span, slot: dueSlot, n });
    add(read, `${platform} ${span} ${readSlot}`, { platform, span, slot: readSlot, n });
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
