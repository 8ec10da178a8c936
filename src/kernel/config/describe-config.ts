import { z } from 'zod';
import { type ConfigKey, settings } from './settings.ts';

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

const allowedOf = (json: Record<string, unknown>, type: z.ZodType): string => {
  if (Array.isArray(json.enum)) return json.enum.join(' | ');
  // Coerced numbers: only the output schema has the bounds.
  const out = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' }) as Record<string, unknown>;
  if (out.type === 'integer' || out.type === 'number') {
    return `${out.type === 'integer' ? 'whole number' : 'number'} from ${out.minimum} to ${out.maximum}`;
  }
  return out.type === 'boolean' ? 'true | false' : 'text';
};
