import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processStopped, reportProcess } from '../../src/operations/health/processes.ts';
import { consoleOrigin } from '../../src/operations/operators.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
});
afterAll(() => database.drop());

const report = (id: string, console: string | null) =>
  reportProcess(database.db, {
    id,
    host: 'alpha',
    roles: [],
    requests: null,
    failed: null,
    disk_free: null,
    disk_hours_left: null,
    erasures: -1,
    console,
  });

describe('where the console is', () => {
  const origin = () => consoleOrigin(database);
  const refusal = expect.objectContaining({ code: 'console_not_running' });

  it('is told by the process that serves it, while that lives', async () => {
    await report('crawler', null);
    await expect(origin()).rejects.toEqual(refusal);
    await report('main', 'http://127.0.0.1:9001');
    await report('crawler', null);
    expect(await origin()).toBe('http://127.0.0.1:9001');
    await processStopped(database.db, 'main');
    await expect(origin()).rejects.toEqual(refusal);
    await report('other', 'http://127.0.0.1:9002');
    expect(await origin()).toBe('http://127.0.0.1:9002');
  });
});
