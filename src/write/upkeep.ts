/** The upkeep of the log: backups that were read back, and months that were archived. */

import { z } from 'zod';
import { event, instant } from './log/event-definition.ts';

export const BACKUPS_STREAM = 'service-backups';

const whole = z.int().nonnegative();

/** The stream of the archive. */
export const ARCHIVE_STREAM = 'service-archive';

export const upkeepEvents = {
  /** A backup was saved, and every file of it was read back and had the checksum that was written. */
  BackupVerified: event({
    /** When it was begun: it has everything before. */
    made_at: instant,
    /** Last position of the log that it has. */
    head: z.string().regex(/^\d{1,20}$/),
    events: whole,
    bytes: whole,
  }),
  /** What events up to a position say was moved into files. */
  EventsArchived: event({ at: instant, last: z.string().regex(/^\d{1,20}$/), files: whole, bytes: whole }),
};
