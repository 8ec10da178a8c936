import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type ConfigKey, SECRET_KEYS, settings } from '../../src/kernel/config.ts';
import { ROLES } from '../../src/runtime/roles/lifecycle.ts';

/** What the values of the Helm chart may be, from the program's tables of settings and roles. `npm run chart:dump` writes it. */

/** Settings that the image or the chart has. They are in the environment, which wins over the settings of the values. */
export const OF_THE_CHART: ReadonlySet<string> = new Set([
  'HOST',
  'LOG_FORMAT',
  'OPERATIONS_HOST',
  'OPERATIONS_PORT',
  'PORT',
  'SIGHTLINE_HOME',
] satisfies ConfigKey[]);

/** Settings whose values come from a Secret. A setting that ends in _FILE names a file: its content does. */
const isFromSecret = (key: ConfigKey): boolean => SECRET_KEYS.has(key) || key.endsWith('_FILE');

const keys = (Object.keys(settings) as ConfigKey[]).filter((key) => !OF_THE_CHART.has(key));

/** What YAML may have for a setting. The program itself checks the rest. */
const settingSchema = (key: ConfigKey): object => {
  const { type, enum: values, minimum, maximum } = z.toJSONSchema(settings[key], { unrepresentable: 'any' });
  const value =
    values !== undefined
      ? { enum: values }
      : type === 'integer' || type === 'number'
        ? { type, minimum, maximum }
        : { type: type === 'boolean' ? type : 'string' };
  return { ...value, description: settings[key].description };
};

const strict = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const each = <Key extends string>(names: readonly Key[], schemaOf: (name: Key) => object): object =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)]));

const name = { type: 'string', minLength: 1 };
const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };

export const chartSchema = () => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...strict({
    image: strict({ repository: name, pullSecrets: { type: 'array', items: name } }),
    settings: strict(
      each(
        keys.filter((key) => !isFromSecret(key)),
        settingSchema,
      ),
      [],
    ),
    secrets: strict(
      each(keys.filter(isFromSecret), (key) => ({
        ...strict({ name, key: name }),
        description: settings[key].description,
      })),
      ['DATABASE_URL', 'OPERATIONS_TOKEN'],
    ),
    roles: strict(
      each(ROLES, () => strict({ replicas: { type: 'integer', minimum: 0 }, resources: { type: 'object' } })),
    ),
    serviceAccountName: name,
    ingress: strict({ host: text, className: text, tlsSecret: text, annotations: texts }),
    serviceMonitor: strict({ enabled: { type: 'boolean' }, labels: texts }),
  }),
});

if (import.meta.main) {
  const path = fileURLToPath(new URL('sightline/values.schema.json', import.meta.url));
  await writeFile(path, JSON.stringify(chartSchema(), null, 2));
  console.log('infra/helm/sightline/values.schema.json written.');
}
