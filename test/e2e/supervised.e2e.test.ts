import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { childrenOf } from '../../src/kernel/processes.ts';
import { createTestHome, isAlive, type TestHome } from '../support/cli.ts';
import { until } from '../support/wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let home: TestHome;
let npm: ChildProcess;
let begun: readonly number[] = [];
afterEach(async () => {
  npm.kill('SIGKILL');
  for (const pid of begun) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await home.remove();
});

const descendantsOf = async (pid: number): Promise<readonly number[]> => {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
};

const STARTED = 'Sightline started';

/** The ways of starting that documents name, what each says once it runs, and how its npm ends. */
const WAYS: readonly (readonly [way: string, said: string, signal: NodeJS.Signals])[] = [
  ['run sightline -- start', STARTED, 'SIGTERM'],
  ['run sightline -- start', STARTED, 'SIGKILL'],
  ['start', STARTED, 'SIGINT'],
  ['run demo -- --size 50', 'API reference, where you can try every endpoint', 'SIGTERM'],
];

describe('a service', () => {
  it.each(WAYS)(
    'that npm %s began, and said %j, ends with npm by %s',
    { tags: 'long' },
    async (way, says, signal) => {
      home = await createTestHome();
      let said = '';
      npm = spawn('npm', way.split(' '), {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: home.home,
          SIGHTLINE_HOME: home.home,
          PORT: '0',
          OPERATIONS_PORT: '0',
          ...(way.includes('demo') ? {} : { CRAWL_MODE: 'replay' }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [npm.stdout, npm.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
      }
      await until('it has started', () => {
        if (npm.exitCode !== null) throw new Error(said);
        return said.includes(says);
      });
      begun = await descendantsOf(npm.pid as number);
      // The program, the process of the API, and Postgres with processes of its own.
      expect(begun.length).toBeGreaterThan(3);
      npm.kill(signal);
      await until('all that it started has ended', () => begun.every((pid) => !isAlive(pid)));
    },
  );
});

it('documents name no other script of npm that starts the service', () => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  const starting = Object.entries(scripts).filter(([, script]) => script.includes('src/cli/main.ts'));
  expect(starting.map(([name]) => name).toSorted()).toEqual(['demo', 'sightline', 'start']);
  for (const [, script] of starting) expect(script).toMatch(/^exec node /);
});
