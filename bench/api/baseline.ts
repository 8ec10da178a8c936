import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import pg from 'pg';
import { createBatcher } from '../../src/kernel/batch.ts';
import { serve } from '../support/child.ts';

/**
 * The least that a point read can be: Fastify, a pool, a named statement; no key, no scope, no envelope. Below
 * `/naive` the same with a budget as it is usually kept: a capped `UPDATE … RETURNING` a request, then the read. Below
 * `/floor` the smallest exact charge: capped UPDATEs and a row of the ledger in one statement for all that wait, beside
 * reads that share a statement too; no key, no rate, no plan, no headers.
 */
export interface BareQuestion {
  readonly databaseUrl: string;
  readonly connections: number;
  readonly accounts: string;
  readonly directory: string;
}

const ACCOUNT_COLUMNS =
  'handle, status, display_name, followers, verified, created_at, first_seen_at, last_seen_at, observed_at';
const ENTRY_COLUMNS = `platform, native_id, handle, display_name, followers, following, posts, verified, created_at,
  first_seen_at, last_seen_at, bio, avatar_url, location, links, status, previous_handles, observed_at`;

const start = async ({ databaseUrl, connections, accounts, directory }: BareQuestion): Promise<string> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  const app = fastify();
  const charge = createBatcher<string, boolean>(
    async (keys) => {
      const counts = new Map<string, number>();
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      const { rows } = await pool.query<{ key: string }>({
        name: 'charge batch',
        text: `with charged as (
                 update naive_budgets b set used = b.used + q.n from unnest($1::text[], $2::bigint[]) q(key, n)
                 where b.key = q.key and b.used + q.n < 1000000000 returning b.key, q.n
               ), noted as (
                 insert into floor_ledger (keys, units) select array_agg(key), array_agg(n) from charged
               )
               select key from charged`,
        values: [
          [...counts.keys()].sort(),
          [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, n]) => n),
        ],
      });
      const charged = new Set(rows.map(({ key }) => key));
      return keys.map((key) => charged.has(key));
    },
    { inFlight: 1 },
  );
  const route = (path: string, name: string, text: string) => {
    const read = createBatcher<string, { handle: string } | null>(async (handles) => {
      const { rows } = await pool.query<{ handle: string }>({
        name: `${name} batch`,
        text: text.replace('= $1', '= any($1)'),
        values: [handles],
      });
      const found = new Map(rows.map((row) => [row.handle, row]));
      return handles.map((handle) => found.get(handle) ?? null);
    });
    app.get<{ Params: { handle: string } }>(`/floor${path}`, async (request, reply) => {
      const [row, isCharged] = await Promise.all([
        read(request.params.handle),
        charge(request.headers.authorization?.slice('Bearer '.length) ?? ''),
      ]);
      if (!isCharged) return reply.code(402).send();
      return row ?? reply.code(404).send();
    });
    app.get<{ Params: { handle: string } }>(path, async (request, reply) => {
      const { rows } = await pool.query({ name, text, values: [request.params.handle] });
      return rows[0] ?? reply.code(404).send();
    });
    app.get<{ Params: { handle: string } }>(`/naive${path}`, async (request, reply) => {
      const charged = await pool.query({
        name: 'charge',
        text: `update naive_budgets set used = used + 1 where key = $1 and used < 1000000000 returning used`,
        values: [request.headers.authorization?.slice('Bearer '.length)],
      });
      if (charged.rowCount === 0) return reply.code(402).send();
      const { rows } = await pool.query({ name, text, values: [request.params.handle] });
      return rows[0] ?? reply.code(404).send();
    });
  };
  route(
    '/v2/accounts/x/:handle',
    'account',
    `select ${ACCOUNT_COLUMNS} from ${accounts}.accounts_x where handle = $1`,
  );
  route(
    '/v2/directory/x/:handle',
    'entry',
    `select ${ENTRY_COLUMNS} from ${directory}.entries_x where handle = $1`,
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
};

if (import.meta.main) serve(start);
