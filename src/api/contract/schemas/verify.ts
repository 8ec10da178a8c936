import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { text } from '../parse-request.ts';
import { accountText } from './account-text.ts';

const instant = z.iso.datetime();

export const verificationQuery = () =>
  z.strictObject({
    handle: accountText,
    reference: text(1, 64)
      .optional()
      .describe('Your own ID of the user who asks, so that each has a code of their own.'),
    parts: z
      .string()
      .regex(
        /^(?:bio|name|post)(?:,(?:bio|name|post)){0,2}$/,
        'must name bio, name or post, with commas between',
      )
      .optional()
      .describe('Parts in which the code counts, as `bio` or `bio,name`. Default: all three.'),
  });

export const verificationSchema = z
  .object({
    platform: platformSchema,
    handle: z.string().nullable().describe('Normalized; null if only the ID is known.'),
    id: z.string().nullable().describe('The native ID; null if the platform does not show it.'),
    status: z.enum(['active', 'private', 'suspended', 'deactivated', 'absent', 'unknown']),
    verified: z
      .boolean()
      .nullable()
      .describe(
        'Whether one of the last seven days’ codes was found; null if it was not, and a part could not be read in which it may be: `checked` lacks that part.',
      ),
    code: z
      .string()
      .describe('What the owner shows; another one each day, for each account, caller and reference.'),
    instructions: z.string(),
    matched_in: z.enum(['bio', 'name', 'post']).nullable(),
    checked: z
      .array(z.enum(['bio', 'name', 'post']))
      .describe('The parts that were read: a code in another one would not have been found.'),
    checked_at: instant,
    expires_at: instant.describe('Until when `code` is accepted.'),
  })
  .meta({ id: 'OwnershipVerification' });
