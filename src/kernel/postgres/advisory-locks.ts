/**
 * Keys of Postgres advisory locks, in one list to prevent collisions. `APPEND`, `USAGE_FOLD` and the locks of holders also occur
 * in `infra/functions`.
 */
export const ADVISORY_LOCKS = {
  /** Serializes migrations of concurrently starting processes. */
  MIGRATE: 7_203_114,
  /** Serializes appends, in commit order; with a second key, the metering of one holder. */
  APPEND: 7_203_115,
  /** Lease of the process that follows the log into a version of a projection. */
  PROJECTION_LEASE: 7_203_116,
  /** Serializes creation and deletion of a projection's builds. */
  BUILD: 7_203_117,
  /** Lease of the relay. */
  RELAY_LEASE: 7_203_118,
  /** Serializes folds of the usage journal; used by `metering.fold_usage`. */
  USAGE_FOLD: 7_203_119,
  /** Held while a process reads a follower list; with the hash of the list's name. */
  FOLLOW_SWEEP: 7_203_120,
  /** Lease of the process that reads the feed of a marketplace. */
  FEED_LEASE: 7_203_121,
  /** Lease of the process that recruits out of follower lists and demand. */
  RECRUITING_LEASE: 7_203_122,
  /** Lease of a run of research. */
  RESEARCH_LEASE: 7_203_123,
  /** Lease of the process that reads link pages. */
  LINK_PAGE_LEASE: 7_203_124,
  /** Lease of the process that evaluates alarms. */
  ALARMS_LEASE: 7_203_125,
  /** Held while a process carries out erasures. */
  ERASURE: 7_203_126,
  /** Serializes counts of what visitors of `/privacy` attempt. */
  PRIVACY: 7_203_127,
} as const;
