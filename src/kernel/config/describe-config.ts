import { z } from 'zod';
import { type Config, type ConfigKey, SECRET_KEYS, settings } from './settings.ts';

/** One row per setting, for display. */
export const describeConfig = (): readonly {
  key: ConfigKey;
  allowed: string;
  fallback: string;
  about: string;
}[] =>
  (Object.keys(settings) as ConfigKey[]).map((key) => {
    const json = z.toJSONSchema(settings[key], { io: 'input', unrepresentable: 'any' }) as Record<
      string,
      unknown
    >;
    const fallback = settings[key].safeParse(undefined).data;
    return {
      key,
      allowed: allowedOf(json, settings[key]),
      fallback: fallback === undefined ? '' : String(fallback),
      about: settings[key].description ?? '',
    };
  });

/** A value as it is shown: addresses without credentials, and without a query, which may be a token. */
export const withoutSecrets = (value: string): string => {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : null;
  if (url === null) return value;
  const hides = url.username + url.password + url.search + url.hash !== '';
  return hides ? `${url.protocol}//${url.host}${url.pathname} (credentials and query not shown)` : value;
};

/** The value of a setting for display; empty if it is not set. */
export const shownValue = (config: Config, key: ConfigKey): string => {
  const value = config[key];
  if (value === undefined) return '';
  return SECRET_KEYS.has(key) ? '(set, not shown)' : withoutSecrets(String(value));
};

const allowedOf = (json: Record<string, unknown>, type: z.ZodType): string => {
  if (Array.isArray(json.enum)) return json.enum.join(' | ');
  // Coerced numbers: only the output schema has the bounds.
  const out = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' }) as Record<string, unknown>;
  if (out.type === 'integer' || out.type === 'number') {
    return `${out.type === 'integer' ? 'whole number' : 'number'} from ${out.minimum} to ${out.maximum}`;
  }
  return out.type === 'boolean' ? 'true | false' : 'text';
};
