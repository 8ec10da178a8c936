import { readFile } from 'node:fs/promises';
import type { Config } from '../../kernel/config.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import { type Plans, publishedPlans } from './plans.ts';

/**
 * The active plans: those of PLANS_FILE, or a published set.
 * @throws {OperatorError} if the file is unreadable or invalid, naming each line.
 */
export const loadPlans = async ({
  PLAN_SET,
  PLANS_FILE,
}: Pick<Config, 'PLAN_SET' | 'PLANS_FILE'>): Promise<Plans> => {
  if (PLANS_FILE === undefined) return publishedPlans(PLAN_SET);
  const text = await readFile(PLANS_FILE, 'utf8').catch((error: unknown) => {
    throw new OperatorError(
      'plans_invalid',
      `PLANS_FILE is "${PLANS_FILE}", which can't be read (${errorMessage(error)}); allowed: a JSON or YAML file of plans`,
      { cause: error },
    );
  });
  // Loaded lazily: most installations use a published set and need no YAML parser.
  const { parsePlans } = await import('./plans-file.ts');
  return parsePlans(PLANS_FILE, text);
};
