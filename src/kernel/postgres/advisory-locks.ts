/**
 * Keys of Postgres's advisory locks, all in one list so that no two parts take the same one. `APPEND` and the locks of
 * holders are also written in the migrations' functions.
 */
export const ADVISORY_LOCKS = {
  /** One process migrates, the others wait. */
  MIGRATE: 7_203_114,
  /** Appends to the log are serialized, in commit order; with a second key, the metering of one holder. */
  APPEND: 7_203_115,
  /** One process follows the log into a version of a projection. */
  PROJECTION_LEASE: 7_203_116,
  /** One build of a projection is made or dropped at a time. */
  BUILD: 7_203_117,
  /** One process relays the log. */
  RELAY_LEASE: 7_203_118,
} as const;
