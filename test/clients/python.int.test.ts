import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonNameOf, pythonParameterOf } from '../../src/api/description/code-samples.ts';
import { startFaultyService } from '../support/faulty-service.ts';
import { PYTHON_BIN, runPython, startPythonDriver } from '../support/python-client.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { CASES, type Case, expectCase, type Found } from './cases.ts';

let driver: ReturnType<typeof startPythonDriver>;
beforeAll(() => {
  if (PYTHON_BIN !== null) driver = startPythonDriver();
});
afterAll(() => driver?.close());

const optionsOf = ({ maxUnits, maxWaitS, retries, timeoutMs }: Case['client'] = {}) => ({
  max_units: maxUnits,
  max_wait_s: maxWaitS,
  retries,
  timeout_s: timeoutMs === undefined ? undefined : timeoutMs / 1_000,
});

describe.skipIf(PYTHON_BIN === null).each(['sync', 'async'])(
  'the client for Python, %s',
  { tags: 'long' },
  (mode) => {
    it.each(CASES)('$name', async (each) => {
      const { operation, parameters } = each.call;
      await expectCase(each, async (url) => {
        const found = await driver.ask<Found>('case', {
          mode,
          url,
          function: pythonNameOf(operation),
          parameters: Object.fromEntries(
            Object.entries(parameters).map(([name, value]) => [pythonParameterOf(name), value]),
          ),
          options: optionsOf(each.client),
        });
        // A name of Python’s own is taken.
        return found.error?.name === 'ConnectionFailed'
          ? { ...found, error: { ...found.error, name: 'ConnectionError' } }
          : found;
      });
    });

    it('loses and doubles no item and no charge in a thousand faults', async () => {
      const service = await startFaultyService(17);
      const handles = Array.from({ length: service.items }, (_, i) => `h${i}`);
      const wrong = await driver.ask('faults', { mode, url: service.url, handles, lists: 12 });
      await service.close();
      expect(wrong).toEqual([]);
      expect(service.faults()).toBeGreaterThan(1_000);
      expect([...service.charges.values()]).toEqual(handles.map(() => 1));
    });

    it('spends no more than its budget, however many calls are made at once', async () => {
      const server = await startScriptedServer(({ url }) =>
        url === '/v2/'
          ? { body: { data: { endpoints: [{ operation: 'getDirectoryEntry', cost: 1 }] }, meta: {} } }
          : { headers: { 'x-request-cost': '1' }, body: { data: {}, meta: {} } },
      );
      const found = await driver.ask('budget', { mode, url: server.url, max_units: 7, calls: 20 });
      await server.close();
      expect(found).toEqual({ answered: 7, refused: 13, used: 7, spent: 7 });
      expect(server.requests.filter(({ url }) => url === '/v2/')).toHaveLength(1);
    });

    it('ends a call that its caller ends when it is told of the usage, and does not repeat it', async () => {
      const server = await startScriptedServer(() => ({ body: { data: {}, meta: {} } }));
      expect(await driver.ask('stopped', { mode, url: server.url })).toBe('check_account');
      await server.close();
      expect(server.requests).toHaveLength(1);
    });

    it('keeps no units for calls that were refused, and asks for costs again if they were not answered', async () => {
      let asked = 0;
      let read = 0;
      const server = await startScriptedServer(({ url }) => {
        if (url !== '/v2/') {
          read += 1;
          if (read <= 2) return { status: 404, body: { error: { code: 'not_found', message: 'm' } } };
          return { headers: { 'x-request-cost': '1' }, body: { data: {}, meta: {} } };
        }
        asked += 1;
        if (asked === 1) return { status: 401, body: { error: { code: 'key_invalid', message: 'm' } } };
        return { body: { data: { endpoints: [{ operation: 'getDirectoryEntry', cost: 1 }] }, meta: {} } };
      });
      expect(await driver.ask('again', { mode, url: server.url })).toEqual([
        'key_invalid',
        'not_found',
        'not_found',
        null,
        'BudgetError',
      ]);
      await server.close();
    });

    it('gives the headers and the age of an answer, and pages of a list', async () => {
      const server = await startScriptedServer(({ url }) => ({
        headers: { 'x-request-cost': '1', 'x-plan': 'scale', 'x-quota-limit': '9', 'x-quota-remaining': '5' },
        body: url.includes('changes')
          ? { data: [{ kind: 'renamed' }], meta: { next_cursor: null, resume_cursor: 'r1' } }
          : { data: { handle: 'ada' }, meta: { cache_age_s: 840 } },
      }));
      expect(await driver.ask('raw', { mode, url: server.url })).toEqual({
        handle: 'ada',
        age: 840,
        plan: 'scale',
        cost: 1,
        remaining: 5,
        'left out': null,
        resume: ['r1'],
        kinds: ['renamed'],
      });
      await server.close();
      expect(server.requests.at(-1)?.url).toBe('/v2/directory/changes?cursor=r0');
    });
  },
);

describe.skipIf(PYTHON_BIN === null)('the client for Python', { tags: 'long' }, () => {
  it('ends a call whose task is cancelled, while it waits as well', async () => {
    const server = await startScriptedServer(() => ({
      status: 503,
      headers: { 'retry-after': '30' },
      body: { error: { code: 'service_unavailable', message: 'm' } },
    }));
    expect(await driver.ask('cancelled', { mode: 'async', url: server.url })).toBe(true);
    await server.close();
    expect(server.requests).toHaveLength(1);
  });

  it('is formatted, and has no fault that its linter finds', async () => {
    await runPython('ruff', ['format', '--check', '--no-cache', '.']);
    await runPython('ruff', ['check', '--no-cache', '.']);
  });

  it('is built as a wheel, and installed from it where nothing else is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-wheel-'));
    await runPython('python', [
      ...['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', folder, '.'],
    ]);
    const [wheel = ''] = globSync('*.whl', { cwd: folder });
    expect(wheel).toBe('sightline_client-1.0.0-py3-none-any.whl');
    const empty = join(folder, 'empty');
    await runPython('python', ['-m', 'venv', empty]);
    const python = (...args: string[]) =>
      execFileSync(join(empty, 'bin/python'), args, { cwd: folder, encoding: 'utf8', env: {} });
    python('-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wheel);
    const program = `import sightline_client, pathlib
folder = pathlib.Path(sightline_client.__file__).parent
print(folder.is_relative_to(${JSON.stringify(empty)}), (folder / "py.typed").exists())`;
    expect(python('-c', program)).toBe('True True\n');
    await rm(folder, { recursive: true });
  });
});
