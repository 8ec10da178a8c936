import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ACTIVITY } from './parameters/activity.ts';
import { conflictsOf } from './parameters/conflicts.ts';
import { SOCIETY } from './parameters/society.ts';

/** Everything that the world is drawn from, by groups; every value states its unit, default, range and source. */
export const parametersSchema = z.strictObject({ ...ACTIVITY, ...SOCIETY });

export type Parameters = z.output<typeof parametersSchema>;

const canonical = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
        .join(',')}}`
    : JSON.stringify(value);

/**
 * The parameters of a JSON document; what it leaves out has its default.
 * @throws {z.ZodError} for an unknown name or a value outside its range.
 * @throws {RangeError} for parameters that can't hold together.
 */
export const parseParameters = (document: unknown = {}): Parameters => {
  const parsed = parametersSchema.parse(document);
  const [conflict] = conflictsOf(parsed);
  if (conflict !== undefined) throw new RangeError(`parameters that can't hold together: ${conflict}`);
  return parsed;
};

export const DEFAULT_PARAMETERS: Parameters = parseParameters();

/** Identifies a document: the same for the same values, whatever their order. */
export const hashOf = (parameters: Parameters): string =>
  createHash('sha256').update(canonical(parameters)).digest('hex').slice(0, 16);
