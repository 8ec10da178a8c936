import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Programs of a Python environment of its own, or why there is none. */
export type Environment = { readonly bin: string } | { readonly missing: string };

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

/**
 * Makes the environment that has what is required, or takes the one that is there. One that is made at the same time elsewhere has a
 * folder of its own, and the link to the last one stays.
 * @param folder where environments are kept, each below the digest of what it has.
 */
export const preparePython = async (folder: string, requirements: string): Promise<Environment> => {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 16);
  const link = join(folder, digest);
  const bin = join(link, 'bin');
  if (await stat(bin).catch(() => null)) return { bin };
  const { code } = await run('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']);
  if (code !== 0) return { missing: 'there is no python3 (3.10 or newer, with venv)' };
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, `${digest}-`));
  const made = await run('python3', ['-m', 'venv', own]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '2'];
  const installed =
    made.code === 0 ? await run(join(own, 'bin', 'python'), [...pip, '-r', requirements]) : made;
  if (installed.code !== 0) {
    await rm(own, { recursive: true, force: true });
    return {
      missing: `${made.code === 0 ? "pip can't install it" : 'python3 -m venv failed'}: ${lastLine(installed.said)}`,
    };
  }
  await symlink(own, `${own}.link`);
  await rename(`${own}.link`, link);
  return { bin };
};
