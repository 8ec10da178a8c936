/** The upkeep of the service: backups that were read back, months that were archived, and builds of read models. */

import { z } from 'zod';
import { event, instant, key, text } from './log/event-definition.ts';

export const BACKUPS_STREAM = 'service-backups';

const whole = z.int().nonnegative();

/** The stream of the archive. */
export const ARCHIVE_STREAM = 'service-archive';

/** The stream of what the settings of retention do not keep. */
export const RETENTION_STREAM = 'service-retention';

/** The stream of what operators did with builds. Those that the service makes and drops by itself are not in it. */
export const BUILDS_STREAM = 'service-builds';

/** The stream of the exports that operators made. */
export const EXPORTS_STREAM = 'service-exports';

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
  /** An export was made. What it is called and which streams were selected may name people, and is not kept. */
  ExportMade: event({
    at: instant,
    export: z.uuid(),
    /** `subject`: of what is held about one account. */
    kind: z.enum(['events', 'subject']),
    /** The only type of its events; null if it has several. */
    type: key(100).nullable(),
    /** Its events, or lines. */
    count: whole,
    /** Of the export itself. */
    sha256: key(64),
  }),
  /** An operator says that no copy of the export is left. */
  ExportDestroyed: event({ at: instant, export: z.uuid() }),
  /** From here on some events are not kept: those of accounts that expire after it, and those up to these positions. */
  RetentionBegun: event({
    at: instant,
    /** Accounts whose absence was proven before it expire; null if none does. */
    absent_before: instant.nullable(),
    /** The last position that is not kept; null if all are. */
    posts: position.nullable(),
    edges: position.nullable(),
    history: position.nullable(),
  }),
  /** In the streams of accounts: what they say of one that is long absent is not kept. */
  AccountExpired: event({ at: instant, from: whole, through: whole }),
  /** What is not kept is gone from the log and from read models. */
  RetentionApplied: event({ at: instant, accounts: whole, events: whole }),
  /** A read model was made anew from the log, and is served from this build. */
  ProjectionRebuilt: event(build),
  /** A copy of a read model was made, as of a position. */
  ProjectionCopied: event({ ...build, position }),
  /** A build or a copy was dropped. */
  ProjectionBuildDropped: event(build),
};
