/** `npm run clients:generate` writes what clients know of the contract; with `--check` it fails if that differs. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readContract } from './contract.ts';
import { postmanOf } from './postman.ts';
import { pythonClientsOf, pythonModelsOf, pythonOperationsOf } from './python.ts';
import { typescriptOf } from './typescript.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const contract = await readContract();

const formatted = (file: string, text: string): string =>
  /\.(?:ts|json)$/.test(file)
    ? execFileSync('biome', ['format', `--stdin-file-path=${file}`], {
        input: text,
        encoding: 'utf8',
        maxBuffer: 1e8,
      })
    : text;

const PYTHON = 'clients/python/src/sightline_client';
const FILES = {
  'clients/typescript/src/operations.ts': typescriptOf(contract),
  [`${PYTHON}/models.py`]: pythonModelsOf(contract),
  [`${PYTHON}/_operations.py`]: pythonOperationsOf(contract),
  [`${PYTHON}/client.py`]: pythonClientsOf(contract),
  'clients/postman.json': JSON.stringify(postmanOf(contract)),
};

for (const [file, text] of Object.entries(FILES)) {
  const wanted = formatted(file, text);
  if (!values.check) writeFileSync(file, wanted);
  else if (readFileSync(file, 'utf8') !== wanted) {
    console.error(`clients: ${file} differs from the contract. To write it: npm run clients:generate`);
    process.exitCode = 1;
  }
}
