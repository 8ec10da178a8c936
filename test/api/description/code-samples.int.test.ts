import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { codeSamplesOf, pythonNameOf, pythonParameterOf } from '../../../src/api/description/code-samples.ts';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { PYTHON_BIN, startPythonDriver } from '../../support/python-client.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sightline-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const endpoints = await loadEndpoints();
const samplesIn = (label: string): readonly string[] =>
  endpoints.map((endpoint) => codeSamplesOf(endpoint).find((sample) => sample.label === label)?.source ?? '');

it('samples for TypeScript are right by the types of the client', () => {
  const bodies = samplesIn('TypeScript').map((source) => source.replace(/^import .*\n/, ''));
  const text = `import { Sightline } from 'sightline/client';
declare const key: string;
declare const url: string;
${bodies.map((body, i) => `export const sample${i} = async () => {\n${body}\n};`).join('\n')}`;
  writeFileSync(join(folder, 'samples.mts'), text);
  const options = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      incremental: false,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: { 'sightline/client': [join(ROOT, 'clients/typescript/src/index.ts')] },
    },
    include: [join(folder, 'samples.mts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

it('samples for a shell are read by a shell, and name the request of the example', () => {
  for (const [i, source] of samplesIn('curl').entries()) {
    const { method, body } = endpoints[i] ?? {};
    const script = `curl() { for each in "$@"; do echo "$each"; done; }\n${source}`;
    const env = { SIGHTLINE_KEY: 'k', SIGHTLINE_URL: 'http://s' };
    const args = execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).trim().split('\n');
    expect(args).toContain('Authorization: Bearer k');
    expect(
      args.find((each) => each.startsWith('http://s/v2/')),
      source,
    ).toBeDefined();
    if (method === 'POST') expect(body?.safeParse(JSON.parse(args.at(-1) ?? '')).success, source).toBe(true);
  }
});

it.skipIf(PYTHON_BIN === null)(
  'samples for Python call functions of the client with parameters that they have',
  async () => {
    const driver = startPythonDriver();
    for (const [i, source] of samplesIn('Python').entries()) {
      const { operation = '', example } = endpoints[i] ?? {};
      const { params, query, body } = example as Readonly<Record<string, object | undefined>>;
      const values = Object.entries({ ...params, ...query, ...body });
      const given = Object.fromEntries(values.map(([name, value]) => [pythonParameterOf(name), value]));
      expect(await driver.ask('sample', { source }), source).toEqual([[pythonNameOf(operation), given]]);
    }
    driver.close();
  },
);
