import { z } from 'zod';
import { ERRORS, type ErrorCode, ServiceError } from '../../kernel/errors.ts';

/** Why an item of a batch has no result. */
export const itemErrorSchema = z.object({
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  retry_after_s: z.int().positive().nullable(),
});

/** The error of one item, which fails no other. @throws what is no error of the service. */
export const itemErrorOf = (error: unknown): z.input<typeof itemErrorSchema> => {
  if (!(error instanceof ServiceError)) throw error;
  const { code, message, retryAfterS = null } = error;
  return { code, message, retry_after_s: retryAfterS };
};
