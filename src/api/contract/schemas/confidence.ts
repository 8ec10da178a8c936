import { z } from 'zod';

/** A share as text of a query: `0.95`. */
export const confidenceShare = () =>
  z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, { error: 'must be a number from 0 to 1, as `0.95`' })
    .transform(Number);
