import { ident, sql } from '../../../src/kernel/postgres/statement.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';

/** What runs today. */
export const before: Projection = accounts;

/** The same after a change: a table more, which says how often each handle was seen. */
export const after: Projection = {
  ...accounts,
  version: accounts.version + 1,
  tables: (schema) => `${accounts.tables(schema)}
    create table ${schema}.seen (stream text collate "C" primary key, n bigint not null);`,
  open: (schema) => {
    const { building: _, ...fold } = accounts.open(schema);
    let seen = new Map<string, number>();
    return {
      ...fold,
      apply: (event) => {
        fold.apply(event);
        if (event.type === 'AccountSighted') seen.set(event.stream, (seen.get(event.stream) ?? 0) + 1);
      },
      store: async (db) => {
        await fold.store(db);
        await db.query(sql`
          insert into ${ident(schema)}.seen as s select * from unnest(${[...seen.keys()]}::text[],
            ${[...seen.values()]}::bigint[])
          on conflict (stream) do update set n = s.n + excluded.n`);
        seen = new Map();
      },
      reset: () => {
        fold.reset();
        seen = new Map();
      },
    };
  },
};
