import type { Source } from '../../src/kernel/platform.ts';

export const FAULT_KINDS = [
  'rate_limited',
  'server_error',
  'timeout',
  'slow_drip',
  'login_wall',
  'challenge',
  'truncated',
  'cut_short',
  'layout_changed',
  'oversized',
  'gzip_bomb',
  'redirect_away',
  'empty',
  'script_only',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * Faults that a site does not have: Telegram has no wall, and neither it nor Bluesky a challenge. Bluesky has no pages,
 * and LinkedIn's page of a script alone is its challenge.
 */
const NEVER: Readonly<Partial<Record<Source, readonly FaultKind[]>>> = {
  telegram: ['login_wall', 'challenge'],
  bluesky: ['challenge', 'script_only'],
  linkedin: ['script_only'],
  marketplace: ['login_wall', 'challenge', 'script_only'],
};

export const supports = (platform: Source, kind: FaultKind): boolean => !NEVER[platform]?.includes(kind);
