/** `npm pack` calls it: compiles the program below `dist/`, which keeps the folders of the sources, so that their paths hold. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUT = join(ROOT, 'dist');

/** Files that the program reads besides its modules. */
const DATA = [
  'src/**/*.{txt,json,sh}',
  'src/console/assets/*',
  'infra/migrations/*.sql',
  'infra/functions/**/*.{sql,json}',
  'docs/api.md',
] as const;

const compile = (): void => {
  rmSync(OUT, { recursive: true, force: true });
  execFileSync('tsc', ['-p', 'infra/package'], { cwd: ROOT, stdio: 'inherit' });
  // Declarations of the program name its messages; measuring needs the repository.
  rmSync(join(OUT, 'infra/calibrate'), { recursive: true });
};

const copyData = (): void => {
  for (const file of globSync([...DATA], { cwd: ROOT })) cpSync(join(ROOT, file), join(OUT, file));
};

/** A module that is loaded by its address: the compiler leaves those alone. */
const ADDRESS = /new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;

/** Addresses compiled modules, and looks whether all that a module loads is there. @throws {Error} naming what is missing. */
const link = (): void => {
  for (const name of globSync('**/*.js', { cwd: OUT })) {
    const file = join(OUT, name);
    const before = readFileSync(file, 'utf8');
    const after = before.replace(ADDRESS, "new URL('$1.js', import.meta.url)");
    if (after !== before) writeFileSync(file, after);
    const loaded = [...after.matchAll(IMPORT), ...after.matchAll(/new URL\('(\.[^']+\.js)'/g)];
    for (const [, path] of loaded) {
      const isThere = existsSync(resolve(dirname(file), path as string));
      if (!isThere && !(path as string).includes('/infra/calibrate/'))
        throw new Error(`${name} loads ${path}, which the package lacks`);
    }
  }
};

compile();
copyData();
link();
