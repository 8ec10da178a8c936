import { z } from 'zod';
import { PLATFORMS } from './platform-names.ts';

export { PLATFORMS };

export const platformSchema = z.enum(PLATFORMS);

export type Platform = z.infer<typeof platformSchema>;
