import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** Files of the service with such a text. */
const filesWith = (text: RegExp): readonly string[] =>
  globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => text.test(readFileSync(join(ROOT, file), 'utf8')));

it('connections use the client that sends passwords to proven servers only', () => {
  expect(filesWith(/new pg\.Client\(|\{[^}]*\bClient\b[^}]*\} from 'pg'/)).toEqual([]);
  // Each of them is given that client.
  expect(filesWith(/new pg\.Pool\(/)).toEqual(['src/kernel/postgres/pool.ts']);
  expect(filesWith(/\{[^}]*\bcreatePool\b[^}]*\} from 'slonik'/)).toEqual(['src/read/read-pool.ts']);
});
