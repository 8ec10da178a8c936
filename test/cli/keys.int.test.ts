import { afterAll, beforeAll, expect, it } from 'vitest';
import { issue } from '../../src/cli/commands/keys.ts';
import { parseConfig } from '../../src/kernel/config/settings.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { changeHolder, readKeys } from '../../src/operations/holders/read-holders.ts';
import { leaseOf } from '../../src/projections/engine/runner.ts';
import { holders } from '../../src/projections/views/holders/projection.ts';
import { openRuntime, type Runtime } from '../../src/runtime/open-runtime.ts';
import { registerHolder } from '../../src/write/holders/holder-commands.ts';
import { publishedPlans } from '../../src/write/holders/published-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/wait.ts';

let database: TestDatabase;
let program: Runtime;
const plans = publishedPlans('A');

beforeAll(async () => {
  database = await createTestDatabase();
  program = await openRuntime(parseConfig({ DATABASE_URL: database.url }), 'command', silentLogger);
  const holder = { holder: 'acme', name: 'Acme', plan: 'growth' };
  await changeHolder(program, 'acme', (at) => registerHolder(holder, plans, at));
});
afterAll(async () => {
  await program.close();
  await database.drop();
});

it('a key is shown as soon as the log has it, though the read model does not follow', async () => {
  const lagging = await database.db.connect();
  const { kind, name } = leaseOf(holders);
  await lagging.query('select pg_advisory_lock($1, hashtext($2))', [kind, name]);
  let shown: string | undefined;
  let isDone = false;
  const issuing = issue(program, plans, 'acme', null, null, ({ keyId }) => {
    shown = keyId;
  }).finally(() => {
    isDone = true;
  });
  await until('the key is shown', () => shown !== undefined);
  expect(isDone).toBe(false);
  await lagging.query('select pg_advisory_unlock_all()');
  lagging.release();
  expect((await issuing).keyId).toBe(shown);
  expect((await readKeys(program, 'acme')).map(({ key_id }) => key_id)).toEqual([shown]);
});
