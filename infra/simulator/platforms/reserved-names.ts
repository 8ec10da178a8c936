const RESERVED = new Set([
  'admin',
  'administrator',
  'help',
  'root',
  'settings',
  'support',
  'twitter',
  'bluesky',
]);

/** Names that a platform keeps for itself: they have no account. */
export const isReserved = (name: string): boolean => RESERVED.has(name.toLowerCase());
