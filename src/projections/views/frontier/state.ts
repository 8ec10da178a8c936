import type { Platform } from '../../../kernel/platform.ts';
import { accountOf } from '../../../write/accounts/events.ts';
import type { Changes } from './refresh.ts';
import { moveSlots, noSlots, type Slots } from './slots.ts';
import type { DueRow, MemberRow, PoolRow } from './tables.ts';

/** The rows of the frontier during writing. */
export interface State {
  readonly pools: Map<string, PoolRow>;
  readonly rows: Map<string, DueRow>;
  readonly changedPools: Set<string>;
  readonly changed: Set<string>;
  /** New members by the pool that recruited them. */
  readonly members: Map<string, MemberRow>;
  /** All members likewise. */
  readonly counts: Map<string, MemberRow>;
  /** Accounts by the pool that reads them; null until it is asked for after a change of pools. */
  sizes: Map<string, number> | null;
  readonly changes: Changes;
  readonly slots: Slots;
}

export const createState = (): State => ({
  pools: new Map(),
  rows: new Map(),
  changedPools: new Set(),
  changed: new Set(),
  members: new Map(),
  counts: new Map(),
  sizes: null,
  changes: new Map(),
  slots: noSlots(),
});

/** The pool that reads a pool's accounts: itself, or the heir of a retired one. */
const readerOf = (state: State, name: string): string => {
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

/** Adds to the members of a pool. */
export const addMembers = (counts: Map<string, MemberRow>, { platform, pool, n }: MemberRow): void => {
  const key = `${platform} ${pool}`;
  counts.set(key, { platform, pool, n: (counts.get(key)?.n ?? 0) + n });
};

const sizesOf = (state: State): Map<string, number> => {
  const sizes = new Map<string, number>();
  for (const { platform, pool, n } of state.counts.values()) {
    const reader = readerOf(state, pool);
    if (state.pools.get(reader)?.platform === platform) sizes.set(reader, (sizes.get(reader) ?? 0) + n);
  }
  return sizes;
};

/** Accounts that a pool reads, those of retired pools whose heir it is included. */
export const sizeOf = (state: State, reader: string): number => {
  state.sizes ??= sizesOf(state);
  return state.sizes.get(reader) ?? 0;
};

/** Counts a new member of a pool. @param reader the pool that reads it, if one does. */
export const addMember = (state: State, platform: Platform, pool: string, reader: string | null): void => {
  const one = { platform, pool, n: 1 };
  addMembers(state.members, one);
  addMembers(state.counts, one);
  if (reader !== null) state.sizes?.set(reader, sizeOf(state, reader) + 1);
};

export const putPool = (state: State, row: PoolRow): void => {
  state.pools.set(row.pool, row);
  state.sizes = null;
  state.changedPools.add(row.pool);
};

export const putDue = (state: State, stream: string, row: DueRow): void => {
  moveSlots(state.slots, state.rows.get(stream), row);
  state.rows.set(stream, row);
  state.changed.add(stream);
};
