/** Backups that were made, and read back. */

import { z } from 'zod';
import { event, instant } from './log/event-definition.ts';

export const BACKUPS_STREAM = 'service-backups';

const whole = z.int().nonnegative();

export const backupEvents = {
  /** A backup was saved, and every file of it was read back and had the checksum that was written. */
  BackupVerified: event({
    /** When it was begun: it has everything before. */
    made_at: instant,
    /** Last position of the log that it has. */
    head: z.string().regex(/^\d{1,20}$/),
    events: whole,
    bytes: whole,
  }),
};
