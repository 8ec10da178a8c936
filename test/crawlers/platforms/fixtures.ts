import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../../shared/fixtures');

/** Whether the recorded pages are there. They are other projects' and are not kept with this one. */
export const haveFixtures = existsSync(ROOT);

if (!haveFixtures)
  console.warn('Recorded pages are not at ../shared/fixtures: the tests on them are skipped.');

export const fixture = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
