import { z } from 'zod';
import { AGED_FIELDS, type AgedField } from '../../../write/accounts/profile.ts';

const instant = z.iso.datetime().optional();

/** The times of older values, by field. */
export const measuredAt = z
  .object(
    Object.fromEntries(AGED_FIELDS.map((field) => [field, instant])) as Record<AgedField, typeof instant>,
  )
  .optional()
  .describe(
    'Values that the last reading did not show, each with the time of the reading that did; omitted if there are none. All other values are from the last reading.',
  )
  .meta({ id: 'MeasuredAt' });
