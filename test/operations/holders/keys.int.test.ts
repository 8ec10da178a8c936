import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../../src/kernel/config.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { addHolder } from '../../../src/operations/holders/holders.ts';
import { issueKey, listKeys } from '../../../src/operations/holders/keys.ts';
import { leaseOf } from '../../../src/projections/builds/builds.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { openRuntime, type Runtime } from '../../../src/runtime/open-runtime.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/wait.ts';

let database: TestDatabase;
let program: Runtime;

beforeAll(async () => {
  database = await createTestDatabase();
  program = await openRuntime(parseConfig({ DATABASE_URL: database.url }), 'command', silentLogger);
  await addHolder(program, { name: 'Acme', id: null, plan: 'growth' });
});
afterAll(async () => {
  await program.close();
  await database.drop();
});

it('a key is shown as soon as the log has it, even if the read model lags', async () => {
  const lagging = await database.db.connect();
  const { kind, name } = leaseOf(holders);
  await lagging.query('select pg_advisory_lock($1, hashtext($2))', [kind, name]);
  let shown: string | undefined;
  let isDone = false;
  const issuing = issueKey(program, { holder: 'acme', scopes: null, label: null }, ({ keyId }) => {
    shown = keyId;
  }).finally(() => {
    isDone = true;
  });
  await until('the key is shown', () => shown !== undefined);
  expect(isDone).toBe(false);
  await lagging.query('select pg_advisory_unlock_all()');
  lagging.release();
  expect((await issuing).keyId).toBe(shown);
  expect((await listKeys(program, 'acme')).map(({ key_id }) => key_id)).toEqual([shown]);
});
