/** Names of the projections, in the order of the registry. */
export const PROJECTION_NAMES = [
  'accounts',
  'directory',
  'engines',
  'follows',
  'frontier',
  'handles',
  'holders',
  'ladders',
  'leads',
  'listings',
  'people',
  'pool_stats',
  'pools',
  'posts',
  'research',
] as const;
