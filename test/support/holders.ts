import { z } from 'zod';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { createKey, hashKey } from '../../src/write/holders/api-key.ts';
import { type HolderEvent, holderStream } from '../../src/write/holders/holder.ts';
import { NAMED_ONLY, SCOPES, type Scope } from '../../src/write/holders/plans.ts';
import type { TestProgram, TestResponse } from './program.ts';

const MAX_SCOPES = SCOPES.filter((scope) => !NAMED_ONLY.has(scope));

export const keyIdOf = (key: string): string => `key_${key.slice(4, 16)}`;

/** Appends to a holder's stream and folds it. */
export const tellHolder = async (
  program: TestProgram,
  holder: string,
  ...events: HolderEvent[]
): Promise<void> => {
  const batch = events.map((event) => ({ id: uuidV7(Date.now()), ...event }));
  await program.log.append(holderStream(holder), batch, 'any');
  await program.project();
};

/** A key's event. @returns the key too. */
export const issued = (at: string, scopes: readonly Scope[] = MAX_SCOPES): readonly [string, HolderEvent] => {
  const key = createKey();
  return [
    key,
    {
      type: 'KeyIssued',
      data: { at, key_id: keyIdOf(key), key_hash: hashKey(key), scopes: [...scopes], label: null },
    },
  ];
};

/** Registers a holder on a plan from a time on. @returns its first key, with all scopes but `leads:read`. */
export const registerHolder = async (
  program: TestProgram,
  holder: string,
  plan: string | null,
  at: string,
): Promise<string> => {
  const [key, event] = issued(at);
  const chosen: HolderEvent[] = plan === null ? [] : [{ type: 'PlanChosen', data: { at, plan } }];
  await tellHolder(
    program,
    holder,
    { type: 'HolderRegistered', data: { at, holder, name: holder } },
    ...chosen,
    event,
  );
  return key;
};

/** The quota headers of a response, as text. */
export const quotaOf = (response: Pick<TestResponse, 'headers'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(response.headers)
      .filter(([name]) => /^(ratelimit|x-plan|x-request-cost|x-quota|x-live|x-overage|x-wallet)/.test(name))
      .map(([name, value]) => [name, String(value)]),
  );

/** The summed usage record of a holder. */
export const usageOf = async (program: TestProgram, holder: string): Promise<Record<string, number>> => {
  const { rows } = await program.database.db.query(
    `select coalesce(sum(requests), 0)::int as requests, coalesce(sum(refused), 0)::int as refused,
       coalesce(sum(budget_units), 0)::int as budget_units, coalesce(sum(overage_units), 0)::int as overage_units,
       coalesce(sum(overage_micro_usd), 0)::int as overage_micro_usd, coalesce(sum(live_calls), 0)::int as live_calls
     from metering.ledger where holder = $1`,
    [holder],
  );
  return rows[0];
};

/** An endpoint for a test; by default, a free read without input and with a minimal answer. */
export const testEndpoint = (own: Pick<Endpoint, 'operation' | 'path'> & Partial<Endpoint>): Endpoint => ({
  group: 'tools',
  method: 'GET',
  scope: null,
  meter: 'free',
  list: false,
  summary: 'A test',
  description: 'A test.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.object({}),
  errors: [],
  example: { data: {} },
  handler: async () => ({ data: {}, source: 'service', readAtMs: null }),
  ...own,
});
