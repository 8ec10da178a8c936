/**
 * `npm run measure`: repeats the published figures of all methods, one after the other, with other seeds and drawn worlds if asked,
 * as `npm run measure -- --seeds 2 --first-seed 9001 --draws 3`. Takes hours.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bench = (name: string) => ['bench/run.ts', name];
const calibrate = (...options: string[]) => ['src/cli/main.ts', 'calibrate', ...options];

const COMMANDS = [
  ...['people', 'refresh', 'research', 'shadowban', 'streaks'].map(bench),
  calibrate(),
  calibrate('--tools'),
  calibrate('--impersonation'),
  ['infra/calibrate/market-attack.ts'],
];

const run = (args: readonly string[]): boolean => {
  console.log(`\n$ node ${args.join(' ')}`);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
};

const given = process.argv.slice(2);
// Real data has no seeds.
const done = [
  run(['infra/calibrate/real/main.ts']),
  ...COMMANDS.map((command) => run([...command, ...given])),
];
process.exitCode = done.every(Boolean) ? 0 : 1;
