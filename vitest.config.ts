import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Workers and the programs that tests start spend half of their start-up on compiling the same modules.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Files with a fault suite: `npm run test:faults` loads no others. */
const withFaultSuite = (pattern: string): string[] =>
  globSync(pattern).filter((file) => readFileSync(file, 'utf8').includes("tags: 'faults'"));

const level = (name: string, testTimeout: number, extra: object = {}) => {
  const pattern = `test/**/*.${name}.test.ts`;
  const include = process.env.FAULT_SUITES === 'full' ? withFaultSuite(pattern) : [pattern];
  return { test: { name, include, testTimeout, hookTimeout: 300_000, ...extra } };
};

const POSTGRES = { globalSetup: ['test/support/database-server.ts'] };

// Files run in parallel: each has a database, homes, ports and brokers of its own. There are twice as many workers as the
// two cores of the smallest machine, since most files wait for other processes. The time limits of tests end what hangs,
// and are wide enough for a machine that does something else on all of its cores.
export default defineConfig({
  test: {
    maxWorkers: 4,
    tags: [
      { name: 'faults', description: 'Fault suites: repeated kills, rebalances and generated histories.' },
    ],
    projects: [
      // Without I/O there is nothing to keep apart but modules, which hold no state.
      level('unit', 120_000, { isolate: false }),
      level('int', 300_000, POSTGRES),
      level('e2e', 900_000, POSTGRES),
    ],
  },
});
