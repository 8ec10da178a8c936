import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';

const instant = z.iso.datetime();

export const verificationSchema = z
  .object({
    platform: platformSchema,
    handle: z.string().nullable().describe('Normalized; null if only the ID is known.'),
    status: z.enum(['active', 'private', 'suspended', 'deactivated', 'absent', 'unknown']),
    verified: z.boolean().describe('Whether one of the last seven days’ codes was found.'),
    code: z.string().describe('What the owner shows; another one each day, for each account and caller.'),
    instructions: z.string(),
    matched_in: z.enum(['bio', 'name', 'post']).nullable(),
    checked: z
      .array(z.enum(['bio', 'name', 'post']))
      .describe('What the platform showed: a code in another part would not have been found.'),
    checked_at: instant,
    expires_at: instant.describe('Until when `code` is accepted.'),
  })
  .meta({ id: 'OwnershipVerification' });
