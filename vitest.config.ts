import { defineConfig } from 'vitest/config';

const level = (name: string, testTimeout: number, extra: object = {}) => ({
  test: { name, include: [`test/**/*.${name}.test.ts`], testTimeout, hookTimeout: 120_000, ...extra },
});

// Integration and end-to-end files each bring a database or a program of their own, on two cores at the least:
// files of those levels run one after another, so that no test waits for another's processor.
export default defineConfig({
  test: {
    projects: [
      level('unit', 20_000),
      level('int', 120_000, { fileParallelism: false, globalSetup: ['test/support/database-server.ts'] }),
      level('e2e', 600_000, { fileParallelism: false, globalSetup: ['test/support/database-server.ts'] }),
    ],
  },
});
