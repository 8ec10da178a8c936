/**
 * `npm run fuzz [-- <cases> [--seed <n>]]`: Schemathesis against a demo of its own, until it has tried so many cases.
 * Exits with 1 where an answer breaks the description, or is none; with 0 and a line where Schemathesis can't be had,
 * unless CI=true.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { preparePython } from '../support/python.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const READY_MS = 180_000;
/** What one round asks for of each operation and phase, at the least and at the most. */
const MIN_EXAMPLES = 10;
const MAX_EXAMPLES = 500;
/** Cases that a round tries for each example asked for, and those of the first round besides: measured. */
const CASES_AN_EXAMPLE = 21;
const CASES_ONCE = 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' } },
});
const cases = Number(positionals[0] ?? process.env.FUZZ_CASES ?? 2_000);
const seed = Number(values.seed ?? process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1_000_000_000));
if (!Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed) || seed < 0) {
  console.error('fuzz: usage: npm run fuzz [-- <cases> [--seed <n>]]');
  process.exit(2);
}

/** The environment of what is started: nothing of ours points it elsewhere. */
const bare = Object.fromEntries(
  ['PATH', 'HOME', 'LANG', 'TMPDIR'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  ),
);

interface Demo {
  readonly url: string;
  readonly key: string;
  readonly process: ChildProcess;
}

/** @throws where it is not ready in time. */
const startDemo = async (home: string): Promise<Demo> => {
  const child = spawn(process.execPath, [here('../../src/cli/main.ts'), 'demo', '--size', '200'], {
    env: {
      ...bare,
      SIGHTLINE_HOME: home,
      PORT: '0',
      CONSOLE_PORT: '0',
      PLANS_FILE: here('plans.json'),
      // Each request comes from an address of its own: what goes without a key is limited by address.
      TRUSTED_PROXIES: 'loopback',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`the demo was not ready:\n${said}`));
    const timer = setTimeout(fail, READY_MS);
    child.once('exit', fail);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      const found = /(http:\/\/\S+)\/docs\n/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      child.off('exit', fail);
      resolve(found);
    });
  });
  return { url, key: (await readFile(join(home, 'demo-key'), 'utf8')).trim(), process: child };
};

const stopDemo = async ({ process: child }: Demo): Promise<void> => {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};

/** One round. @returns how many cases it tried, and whether it found nothing. */
const round = async (
  program: string,
  demo: Demo,
  examples: number,
  roundSeed: number,
  phases: string,
): Promise<{ readonly tried: number; readonly clean: boolean }> => {
  const child = spawn(
    program,
    [
      ['--config-file', here('schemathesis.toml')],
      ['run', `${demo.url}/v2/openapi.json`],
      ['--phases', phases, '--max-examples', String(examples)],
      ['--seed', String(roundSeed), '--workers', '2'],
    ].flat(),
    {
      env: { ...bare, FUZZ_KEY: demo.key, SCHEMATHESIS_HOOKS: here('checks.py') },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const tried = Number(/(\d+) generated/.exec(said)?.[1] ?? 0);
  if (code !== 0 || tried === 0) console.log(said);
  return { tried, clean: code === 0 && tried > 0 };
};

const fuzz = async (program: string): Promise<boolean> => {
  // Postgres may run as another user, who has to come in.
  const home = await mkdtemp(join(tmpdir(), 'sightline-fuzz-'));
  await chmod(home, 0o755);
  let demo: Demo | undefined;
  try {
    demo = await startDemo(home);
    console.log(`fuzz: ${cases} cases against a demo of 1,400 accounts, seed ${seed}`);
    let tried = 0;
    for (let n = 0; tried < cases; n += 1) {
      const wanted = Math.ceil((cases - tried - (n === 0 ? CASES_ONCE : 0)) / CASES_AN_EXAMPLE);
      const examples = Math.min(MAX_EXAMPLES, Math.max(MIN_EXAMPLES, wanted));
      // What is the same in every round is tried once.
      const phases = n === 0 ? 'examples,coverage,fuzzing,stateful' : 'fuzzing,stateful';
      const result = await round(program, demo, examples, seed + n, phases);
      tried += result.tried;
      if (!result.clean || demo.process.exitCode !== null) {
        console.log(
          `fuzz: findings after ${tried} cases. To see them again: npm run fuzz -- ${cases} --seed ${seed}`,
        );
        return false;
      }
      console.log(`fuzz: ${tried} of ${cases} cases, nothing found`);
    }
    return true;
  } finally {
    if (demo !== undefined) await stopDemo(demo);
    await rm(home, { recursive: true, force: true });
  }
};

const environment = await preparePython(here('../../.fuzz'), here('requirements.txt'));
if ('missing' in environment) {
  const isCi = process.env.CI === 'true';
  console.log(`fuzz: ${isCi ? 'failed' : 'skipped'}, since ${environment.missing}`);
  process.exitCode = isCi ? 1 : 0;
} else {
  process.exitCode = (await fuzz(join(environment.bin, 'schemathesis'))) ? 0 : 1;
}
