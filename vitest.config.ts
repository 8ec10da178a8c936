import { globSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Workers and the programs that tests start spend half of their start-up on compiling the same modules.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/**
 * Just above the priority that a start gives its main process, which the tests beside it would starve otherwise: on a busy
 * machine it got so little of the processors that it crawled nothing in ten minutes.
 */
const NICENESS = 9;
if (getPriority() < NICENESS) setPriority(NICENESS);

/** Files with tests of `npm run test:faults`, which loads no others. */
const withFaultSuite = (pattern: string): string[] =>
  globSync(pattern).filter((file) => /\btags\b.*'(?:faults|long)'/.test(readFileSync(file, 'utf8')));

/** Ends a test that hangs. Fault suites in full take minutes beside each other: many times that on a busy machine. */
const LIMIT_MS = process.env.FAULT_SUITES === 'full' ? 2_400_000 : 900_000;

const level = (name: string, extra: object) => {
  const pattern = `test/**/*.${name}.test.ts`;
  const include = process.env.FAULT_SUITES === 'full' ? withFaultSuite(pattern) : [pattern];
  return {
    test: {
      name,
      include,
      setupFiles: ['test/support/properties.ts'],
      testTimeout: LIMIT_MS,
      hookTimeout: LIMIT_MS,
      ...extra,
    },
  };
};

const POSTGRES = { globalSetup: ['test/support/database-server.ts'] };

// Files run in parallel: each has a database, homes, ports and brokers of its own. There are twice as many workers as the
// two cores of the smallest machine, since most files wait for other processes. The time limits of tests end what hangs,
// and are wide enough for a machine that does something else on all of its cores.
export default defineConfig({
  test: {
    maxWorkers: 4,
    reporters: ['./test/support/cost-reporter.ts'],
    // A line a file: neither slow tests nor what tests print, unless one fails.
    slowTestThreshold: Number.POSITIVE_INFINITY,
    silent: 'passed-only',
    tags: [
      { name: 'faults', description: 'Fault suites: repeated kills, rebalances and generated histories.' },
      {
        name: 'long',
        description:
          'More than three seconds, as outages of brokers and measured worlds: `npm test` leaves them to `npm run test:faults`.',
      },
    ],
    projects: [
      // Modules hold no state, so files share the workers that have loaded them; what they share of a process, as signals
      // and the environment, they leave as it was. A start of the program has a worker of its own.
      level('unit', { isolate: false }),
      level('int', { ...POSTGRES, isolate: false }),
      level('smoke', POSTGRES),
      level('e2e', POSTGRES),
    ],
  },
});
