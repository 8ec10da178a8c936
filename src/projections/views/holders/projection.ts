import type { Queryable } from '../../../kernel/postgres/pool.ts';
import type { Scope } from '../../../write/holders/events.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import { type Table, upsert } from '../../engine/bulk-upsert.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from '../../projection.ts';

/** An API customer and its terms. */
interface HolderRow {
  readonly holder: string;
  readonly name: string;
  readonly registered_at: string;
  /** Null until one is chosen: the default plan applies. */
  readonly plan: string | null;
  readonly plan_started_at: string;
  readonly overage_on: boolean;
  /** Maximum overage of a period; null if uncapped. */
  readonly cap_micro_usd: string | null;
  /** Sum of all credits. */
  readonly credit_micro_usd: string;
  /** Position of the event that last changed these terms. */
  readonly changed: string;
}

/** An API key, as authentication needs it. */
interface KeyRow {
  readonly key_id: string;
  readonly holder: string;
  readonly key_hash: string;
  readonly scopes: readonly Scope[];
  readonly label: string | null;
  readonly issued_at: string;
  readonly revoked_at: string | null;
  /** When a rotated key expires. */
  readonly expires_at: string | null;
  readonly replaced_by: string | null;
  /** IP allowlist (CIDR); empty allows any address. */
  readonly allowlist: readonly string[];
}

const holderTable: Table<HolderRow> = {
  name: 'holders',
  columns: {
    holder: 'text',
    name: 'text',
    registered_at: 'timestamptz',
    plan: 'text',
    plan_started_at: 'timestamptz',
    overage_on: 'boolean',
    cap_micro_usd: 'bigint',
    credit_micro_usd: 'bigint',
    changed: 'bigint',
  },
  key: ['holder'],
};

const keyTable: Table<KeyRow> = {
  name: 'keys',
  columns: {
    key_id: 'text',
    holder: 'text',
    key_hash: 'text',
    scopes: 'jsonb',
    label: 'text',
    issued_at: 'timestamptz',
    revoked_at: 'timestamptz',
    expires_at: 'timestamptz',
    replaced_by: 'text',
    allowlist: 'jsonb',
  },
  key: ['key_id'],
};

const tables = (schema: string): string => `
create table ${schema}.holders (
  holder text collate "C" primary key, name text not null, registered_at timestamptz not null,
  plan text, plan_started_at timestamptz not null, overage_on boolean not null, cap_micro_usd bigint,
  credit_micro_usd bigint not null, changed bigint not null
);
create table ${schema}.keys (
  key_id text collate "C" primary key, holder text collate "C" not null, key_hash text collate "C" not null unique,
  scopes jsonb not null, label text, issued_at timestamptz not null, revoked_at timestamptz, expires_at timestamptz,
  replaced_by text, allowlist jsonb not null
);
create index on ${schema}.keys (holder);
`;

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
      expires_at: null,
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

const iso = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

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
      const holders = await db.query<HolderRow>(
        `select holder, name, ${iso('registered_at')}, plan, ${iso('plan_started_at')}, overage_on,
           cap_micro_usd, credit_micro_usd, changed
         from ${schema}.holders where holder = any($1)`,
        [names],
      );
      for (const row of holders.rows) state.holders.set(row.holder, row);
      const keys = await db.query<KeyRow>(
        `select key_id, holder, key_hash, scopes, label, ${iso('issued_at')}, ${iso('revoked_at')},
           ${iso('expires_at')}, replaced_by, allowlist
         from ${schema}.keys where holder = any($1)`,
        [names],
      );
      for (const row of keys.rows) state.keys.set(row.key_id, row);
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
  streamPrefixes: ['holder-'],
  tables,
  indexes: () => 'select 1',
  open,
};
