import { afterEach, expect, it, vi } from 'vitest';
import { findBinaries } from '../../../../src/kernel/postgres/embedded/binaries.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.runIf(process.platform === 'linux')('a system with musl is told what it needs', async () => {
  vi.spyOn(process.report, 'getReport').mockReturnValue({ header: {} });
  await expect(findBinaries(null, '/nowhere')).rejects.toMatchObject({
    code: 'postgres_unavailable',
    message: expect.stringContaining('musl'),
  });
});
