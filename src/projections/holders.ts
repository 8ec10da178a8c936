import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Scope } from '../write/holders/events.ts';
import { dispatch, type Fold, type Handlers, type Projection, typesOf } from './projection.ts';
import { type Table, upsert } from './table.ts';

/** Who may call the API. */
interface HolderRow {
  readonly holder: string;
  readonly name: string;
  readonly registered_at: string;
}

/** One key of a holder, as authentication needs it. `changed` is the position of the event that last touched it. */
interface KeyRow {
  readonly key_id: string;
  readonly holder: string;
  readonly key_hash: string;
  readonly scopes: readonly Scope[];
  readonly label: string | null;
  readonly issued_at: string;
  readonly revoked_at: string | null;
  readonly changed: string;
}

const holderTable: Table<HolderRow> = {
  name: 'holders',
  columns: { holder: 'text', name: 'text', registered_at: 'timestamptz' },
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
    changed: 'bigint',
  },
  key: ['key_id'],
};

const tables = (schema: string): string => `
create table ${schema}.holders (
  holder text collate "C" primary key, name text not null, registered_at timestamptz not null
);
create table ${schema}.keys (
  key_id text collate "C" primary key, holder text collate "C" not null, key_hash text collate "C" not null unique,
  scopes jsonb not null, label text, issued_at timestamptz not null, revoked_at timestamptz, changed bigint not null
);
create index on ${schema}.keys (holder);
create index on ${schema}.keys (changed);
`;

interface State {
  readonly holders: HolderRow[];
  readonly keys: Map<string, KeyRow>;
  readonly revoked: { readonly key_id: string; readonly at: string; readonly changed: string }[];
}

const holderOf = (stream: string): string => stream.slice('holder-'.length);

const handlers: Handlers<State> = {
  HolderRegistered: (state, { data }) => {
    state.holders.push({ holder: data.holder, name: data.name, registered_at: data.at });
  },
  KeyIssued: (state, { stream, position, data }) => {
    state.keys.set(data.key_id, {
      key_id: data.key_id,
      holder: holderOf(stream),
      key_hash: data.key_hash,
      scopes: data.scopes,
      label: data.label,
      issued_at: data.at,
      revoked_at: null,
      changed: String(position),
    });
  },
  KeyRevoked: (state, { position, data }) => {
    state.revoked.push({ key_id: data.key_id, at: data.at, changed: String(position) });
  },
};

const apply = dispatch(handlers);

const open = (schema: string): Fold => {
  let state: State = { holders: [], keys: new Map(), revoked: [] };
  const reset = () => {
    state = { holders: [], keys: new Map(), revoked: [] };
  };
  return {
    load: async () => undefined,
    apply: (event) => apply(state, event),
    store: async (db: Queryable) => {
      await upsert(db, schema, holderTable, state.holders);
      await upsert(db, schema, keyTable, [...state.keys.values()]);
      if (state.revoked.length > 0) {
        await db.query(
          `update ${schema}.keys k set revoked_at = v.at, changed = v.changed
           from unnest($1::text[], $2::timestamptz[], $3::bigint[]) as v(key_id, at, changed)
           where k.key_id = v.key_id`,
          [
            state.revoked.map((r) => r.key_id),
            state.revoked.map((r) => r.at),
            state.revoked.map((r) => r.changed),
          ],
        );
      }
      reset();
    },
    reset,
  };
};

/** Holders and their keys: who may call what. */
export const holders: Projection = {
  name: 'holders',
  version: 1,
  order: 'global',
  types: typesOf(handlers),
  streamPrefixes: ['holder-'],
  tables,
  indexes: () => 'select 1',
  open,
};
