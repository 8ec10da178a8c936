import { accountOf } from '../../../write/accounts/events.ts';
import type { Changes } from './refresh.ts';
import { moveSlots, noSlots, type Slots } from './slots.ts';
import type { DueRow, PoolRow } from './tables.ts';

/** The rows of the frontier during writing. */
export interface State {
  readonly pools: Map<string, PoolRow>;
  readonly rows: Map<string, DueRow>;
  readonly changedPools: Set<string>;
  readonly changed: Set<string>;
  /** New members by the pool that recruited them. */
  readonly members: Map<string, number>;
  /** Accounts by the pool that reads them. */
  readonly sizes: Map<string, number>;
  readonly changes: Changes;
  readonly slots: Slots;
}

export const createState = (): State => ({
  pools: new Map(),
  rows: new Map(),
  changedPools: new Set(),
  changed: new Set(),
  members: new Map(),
  sizes: new Map(),
  changes: new Map(),
  slots: noSlots(),
});

/** The pool that reads a pool's accounts: itself, or the heir of a retired one. */
export const readerOf = (state: State, name: string): string => {
  const passed = new Set<string>();
  let at = name;
  for (let heir = state.pools.get(at)?.heir; heir != null && !passed.has(heir); ) {
    passed.add(at);
    at = heir;
    heir = state.pools.get(at)?.heir;
  }
  return at;
};

/** The pool that reads an account, as its platform's writer knows it; a pool of another platform is unknown there. */
export const poolFor = (state: State, stream: string, name: string): PoolRow | undefined => {
  const pool = state.pools.get(readerOf(state, name));
  return pool?.platform === accountOf(stream).platform ? pool : undefined;
};

export const grow = (sizes: Map<string, number>, pool: string, n: number): void => {
  sizes.set(pool, (sizes.get(pool) ?? 0) + n);
};

export const putPool = (state: State, row: PoolRow): void => {
  state.pools.set(row.pool, row);
  state.changedPools.add(row.pool);
};

export const putDue = (state: State, stream: string, row: DueRow): void => {
  moveSlots(state.slots, state.rows.get(stream), row);
  state.rows.set(stream, row);
  state.changed.add(stream);
};
