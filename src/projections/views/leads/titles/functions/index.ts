import { business } from './business.ts';
import { commerce } from './commerce.ts';
import { executive } from './executive.ts';
import { operations } from './operations.ts';
import { professions } from './professions.ts';
import { society } from './society.ts';
import { technology } from './technology.ts';

export const functionTerms = [
  ...technology,
  ...commerce,
  ...business,
  ...operations,
  ...society,
  ...professions,
  ...executive,
];
