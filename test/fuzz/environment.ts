import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Schemathesis in a Python environment of its own, or why there is none. */
export type Environment = { readonly program: string } | { readonly missing: string };

/** Runs a program to its end. @returns its exit code and what it said; code null where it can't be started. */
const run = (
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk;
      });
    }
    child.once('error', (error) => resolve({ code: null, said: error.message }));
    child.once('close', (code) => resolve({ code, said }));
  });

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Makes the environment, or takes the one that is there where it has what is required. */
export const prepare = async (folder: string, requirements: string): Promise<Environment> => {
  const wanted = await readFile(requirements, 'utf8');
  const program = join(folder, 'bin', 'schemathesis');
  const mark = join(folder, 'installed.txt');
  const has = await readFile(mark, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (has === wanted) return { program };
  const { code } = await run('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']);
  if (code !== 0) return { missing: 'there is no python3 (3.10 or newer, with venv)' };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const made = await run('python3', ['-m', 'venv', folder]);
  if (made.code !== 0) return { missing: `python3 -m venv failed: ${lastLine(made.said)}` };
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '2'];
  const installed = await run(join(folder, 'bin', 'python'), [...pip, '-r', requirements]);
  if (installed.code !== 0) return { missing: `pip can't install it: ${lastLine(installed.said)}` };
  await writeFile(mark, wanted);
  return { program };
};
