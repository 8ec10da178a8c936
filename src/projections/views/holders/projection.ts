import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';
import { upsert } from '../../table/bulk.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import { type HolderRow, holderTable, type KeyRow, keyTable, tables } from './tables.ts';

interface State {
  readonly holders: Map<string, HolderRow>;
  readonly keys: Map<string, KeyRow>;
}

const holderOf = (stream: string): string => stream.slice('holder-'.length);

/** Changes an existing row. Events of an unknown holder or key are ignored. */
const change = <Row>(rows: Map<string, Row>, key: string, changes: (row: Row) => Partial<Row>): void => {
  const row = rows.get(key);
  if (row !== undefined) rows.set(key, { ...row, ...changes(row) });
};

const handlers: Handlers<State> = {
  HolderRegistered: ({ holders }, { data, position }) => {
    holders.set(data.holder, {
      holder: data.holder,
      name: data.name,
      registered_at: data.at,
      plan: null,
      plan_started_at: data.at,
      overage_on: false,
      cap_micro_usd: null,
      suspended_at: null,
      suspended_why: null,
      credit_micro_usd: '0',
      changed: String(position),
    });
  },
  PlanChosen: ({ holders }, { stream, position, data }) => {
    change(holders, holderOf(stream), () => ({
      plan: data.plan,
      plan_started_at: data.at,
      changed: String(position),
    }));
  },
  OverageSet: ({ holders }, { stream, position, data }) => {
    change(holders, holderOf(stream), () => ({
      overage_on: data.on,
      cap_micro_usd: data.cap_micro_usd,
      changed: String(position),
    }));
  },
  HolderSuspended: ({ holders }, { stream, position, data }) => {
    change(holders, holderOf(stream), () => ({
      suspended_at: data.at,
      suspended_why: data.why,
      changed: String(position),
    }));
  },
  HolderResumed: ({ holders }, { stream, position }) => {
    change(holders, holderOf(stream), () => ({
      suspended_at: null,
      suspended_why: null,
      changed: String(position),
    }));
  },
  WalletCredited: ({ holders }, { stream, position, data }) => {
    change(holders, holderOf(stream), (row) => ({
      credit_micro_usd: String(BigInt(row.credit_micro_usd) + BigInt(data.amount_micro_usd)),
      changed: String(position),
    }));
  },
  KeyIssued: ({ keys }, { stream, data }) => {
    keys.set(data.key_id, {
      key_id: data.key_id,
      holder: holderOf(stream),
      key_hash: data.key_hash,
      scopes: data.scopes,
      label: data.label,
      issued_at: data.at,
      revoked_at: null,
      expires_at: data.expires_at ?? null,
      replaced_by: null,
      allowlist: [],
    });
  },
  KeyRotated: ({ keys }, { data }) => {
    const old = keys.get(data.key_id);
    if (old === undefined) return;
    keys.set(data.successor_id, {
      ...old,
      key_id: data.successor_id,
      key_hash: data.successor_hash,
      issued_at: data.at,
    });
    keys.set(data.key_id, { ...old, expires_at: data.expires_at, replaced_by: data.successor_id });
  },
  KeyRevoked: ({ keys }, { data }) => {
    change(keys, data.key_id, () => ({ revoked_at: data.at }));
  },
  KeyPinned: ({ keys }, { data }) => {
    change(keys, data.key_id, () => ({ allowlist: data.allowlist }));
  },
  ScopesGranted: ({ keys }, { data }) => {
    change(keys, data.key_id, () => ({ scopes: data.scopes }));
  },
};

const apply = dispatch(handlers);

const holderOfRow = driverReader(holderTable);
const keyOfRow = driverReader(keyTable);

const open = (schema: string): Fold => {
  const state: State = { holders: new Map(), keys: new Map() };
  const reset = () => {
    state.holders.clear();
    state.keys.clear();
  };
  return {
    // All keys of the holders concerned: few rows each, and few events.
    load: async (db: Queryable, events: readonly RecordedEvent[]) => {
      reset();
      const names = [...new Set(events.map((event) => holderOf(event.stream)))];
      const holders = await db.query<DriverRow<HolderRow>>(
        sql`select * from ${ident(schema)}.holders where holder = any(${names})`,
      );
      for (const row of holders.rows.map(holderOfRow)) state.holders.set(row.holder, row);
      const keys = await db.query<DriverRow<KeyRow>>(
        sql`select * from ${ident(schema)}.keys where holder = any(${names})`,
      );
      for (const row of keys.rows.map(keyOfRow)) state.keys.set(row.key_id, row);
    },
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      await upsert(db, schema, holderTable, [...state.holders.values()]);
      await upsert(db, schema, keyTable, [...state.keys.values()]);
      reset();
    },
    reset,
  };
};

/** Holders, their terms and their keys, for authentication and metering. */
export const holders: Projection = {
  name: 'holders',
  version: 2,
  order: 'global',
  types: typesOf(handlers),
  forgets: 'no accounts',
  streamPrefixes: ['holder-'],
  tables,
  indexes: () => 'select 1',
  open,
};
