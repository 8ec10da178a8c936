/** The upkeep of the service: backups that were read back, months that were archived, and builds of read models. */

import { z } from 'zod';
import { event, instant, text } from './log/event-definition.ts';

export const BACKUPS_STREAM = 'service-backups';

const whole = z.int().nonnegative();

/** The stream of the archive. */
export const ARCHIVE_STREAM = 'service-archive';

/** The stream of what operators did with builds. Those that the service makes and drops by itself are not in it. */
export const BUILDS_STREAM = 'service-builds';

const position = z.string().regex(/^\d{1,20}$/);
const build = { at: instant, projection: text(100), version: z.int().positive(), schema: text(63) };

export const upkeepEvents = {
  /** A backup was saved, and every file of it was read back and had the checksum that was written. */
  BackupVerified: event({
    /** When it was begun: it has everything before. */
    made_at: instant,
    /** Last position of the log that it has. */
    head: position,
    events: whole,
    bytes: whole,
  }),
  /** What events up to a position say was moved into files. */
  EventsArchived: event({ at: instant, last: position, files: whole, bytes: whole }),
  /** A read model was made anew from the log, and is served from this build. */
  ProjectionRebuilt: event(build),
  /** A copy of a read model was made, as of a position. */
  ProjectionCopied: event({ ...build, position }),
  /** A build or a copy was dropped. */
  ProjectionBuildDropped: event(build),
};
