import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preparePython } from './python.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const PYTHON_CLIENT = at('clients/python');

const environment = await preparePython(
  at('node_modules/.cache/python'),
  at('test/clients/requirements.txt'),
);

if ('missing' in environment) {
  if (process.env.CI === 'true')
    throw new Error(`The client for Python can’t be run: ${environment.missing}`);
  console.log(`skipped, as ${environment.missing}: the client for Python is run`);
}

/** Programs of an environment with what the client needs; null where there is none. */
export const PYTHON_BIN = 'bin' in environment ? environment.bin : null;

const env = {
  PATH: process.env.PATH ?? '',
  PYTHONPATH: `${PYTHON_CLIENT}/src`,
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Runs a program of the environment. @returns what it printed. @throws if it fails. */
export const runPython = async (
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> => {
  const { stdout } = await promisify(execFile)(`${PYTHON_BIN}/${program}`, args, {
    cwd: options.cwd ?? PYTHON_CLIENT,
    env: { ...env, ...options.env },
    maxBuffer: 1e8,
  }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
};

/** A process that calls the client as it is told. */
export const startPythonDriver = () => {
  const child: ChildProcess = spawn(`${PYTHON_BIN}/python`, [at('test/clients/driver.py')], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> })[
    Symbol.asyncIterator
  ]();
  return {
    /** @param what a function of the driver. */
    ask: async <T>(what: string, parameters: object): Promise<T> => {
      child.stdin?.write(`${JSON.stringify([what, parameters])}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The driver ended at ${what}`);
      return JSON.parse(value).found;
    },
    close: () => child.stdin?.end(),
  };
};
