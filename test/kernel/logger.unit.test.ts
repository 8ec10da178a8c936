import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createLogger } from '../../src/kernel/logger.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../support/hidden-characters.ts';

it.each(['json', 'pretty'] as const)(
  'a line in the form %s has no hidden characters of strangers',
  async (form) => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-log-'));
    try {
      const file = join(folder, 'log');
      const fd = openSync(file, 'w');
      const logger = createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: form }, { fd });
      logger.warn({ name: WITH_ALL_HIDDEN, err: new Error(WITH_ALL_HIDDEN) }, WITH_ALL_HIDDEN);
      const line = await vi.waitFor(() => {
        const written = readFileSync(file, 'utf8');
        expect(written).toContain('abbb');
        return written;
      });
      closeSync(fd);
      expect(hiddenIn(line)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
