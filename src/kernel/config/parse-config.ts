import { resolve } from 'node:path';
import { OperatorError } from '../errors/operator-error.ts';
import { describeConfig, withoutSecrets } from './describe-config.ts';
import { type Config, type ConfigKey, configSchema, SECRET_KEYS, settings } from './settings.ts';

/**
 * Parses the settings of an environment.
 * @throws {OperatorError} with a line per invalid setting: key, given and allowed value.
 */
export const parseConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  // Shells and compose files pass unset variables as empty strings.
  const given = Object.fromEntries(
    Object.keys(settings).flatMap((key) =>
      env[key] === undefined || env[key] === '' ? [] : [[key, env[key]]],
    ),
  );
  const result = configSchema.safeParse(given);
  if (result.success) {
    return {
      ...result.data,
      SIGHTLINE_HOME: resolve(result.data.SIGHTLINE_HOME),
      RECORDINGS_DIR: resolve(result.data.RECORDINGS_DIR),
      AUDIT_LABELS: result.data.AUDIT_LABELS === undefined ? undefined : resolve(result.data.AUDIT_LABELS),
      PLANS_FILE: result.data.PLANS_FILE === undefined ? undefined : resolve(result.data.PLANS_FILE),
    };
  }
  const rows = describeConfig();
  const lines = result.error.issues.map((issue) => {
    const key = String(issue.path[0]) as ConfigKey;
    const value = SECRET_KEYS.has(key) ? 'set to a secret value' : `"${withoutSecrets(String(given[key]))}"`;
    const row = rows.find((r) => r.key === key);
    const allowed = row?.allowed === 'text' ? issue.message : `${row?.allowed}`;
    return `${key} is ${value}; allowed: ${allowed}`;
  });
  throw new OperatorError('setting_invalid', lines.join('\n'));
};
