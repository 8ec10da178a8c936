import { readFileSync } from 'node:fs';

/** Rows of a file of `infra/calibrate/data`, without its heading. */
export const realRows = (file: string): readonly (readonly string[])[] =>
  readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
