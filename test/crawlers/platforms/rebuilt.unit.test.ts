import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { parseWith, shown, verdict } from './pages.ts';

const FOLDER = join(import.meta.dirname, 'rebuilt');

interface Expected {
  readonly file: string;
  readonly surface: string;
  readonly handle: string;
  readonly status?: number;
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly post?: Readonly<Record<string, unknown>>;
  readonly verdict?: string;
}

const pages: readonly Expected[] = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));

/** Structures of recorded pages with invented values, and what `rebuild-pages.ts` knows of them without a parser. */
describe('a page with the structure of a recorded one', () => {
  test.for(pages)(
    'is read for what it says: $file',
    ({ file, surface, handle, status = 200, ...expected }) => {
      const adapter = adapterOf(file.split('/')[0] as Platform);
      const reading = parseWith(adapter, surface, handle, readFileSync(join(FOLDER, file), 'utf8'), {
        status,
      });
      if (expected.verdict !== undefined) {
        expect(verdict(reading)).toBe(expected.verdict);
        return;
      }
      const { profile, posts } = shown(reading);
      if (expected.profile !== undefined) expect(profile).toMatchObject(expected.profile);
      if (expected.post !== undefined) expect(posts?.[0]).toMatchObject(expected.post);
    },
  );
});
