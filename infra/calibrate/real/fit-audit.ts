import { writeFileSync } from 'node:fs';
import { fitDefaultOfX } from './audit.ts';

/** `npm run audit:fit`: fits the audit's default model of X anew and writes the file that the program reads. */

const DIGITS = 5;

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toFixed(DIGITS)) : value;

writeFileSync(
  new URL('../../../src/analysis/audit/x-2017.json', import.meta.url),
  `${JSON.stringify(fitDefaultOfX(), rounded, 1)}\n`,
);
