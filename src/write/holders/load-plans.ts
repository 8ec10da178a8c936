import { readFile } from 'node:fs/promises';
import type { Config } from '../../kernel/config/settings.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Plans } from './plans.ts';
import { publishedPlans } from './published-plans.ts';

/**
 * The plans in force: those of PLANS_FILE, or one of the published sets.
 * @throws {OperatorError} where the file can't be read or is not as it must be, naming each line.
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
  // Most run on a published set: they need no parser of YAML.
  const { parsePlans } = await import('./plans-file.ts');
  return parsePlans(PLANS_FILE, text);
};
