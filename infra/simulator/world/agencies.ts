import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import { mix, unit } from './hash.ts';

/** An agency that manages the accounts of some people and lists them on its link page. */
export interface Agency {
  /** Its clients have numbers in [from, to). */
  readonly from: number;
  readonly to: number;
  /** Where it has an account itself: number `from` of this platform. */
  readonly platform: Platform;
}

const SUPER = 16_384;
const MANAGED = 0.08;
/** Share of the people of a managed range that are clients, each with some of their accounts. */
const CLIENTS = 0.7;

/** Share of all accounts that belong to clients. */
export const CLIENT_SHARE = MANAGED * CLIENTS * CLIENTS;

/** The agency whose range holds a number; few ranges have thousands, most about a dozen. */
export const agencyOf = (seed: number, size: number, index: number): Agency | null => {
  const section = Math.floor(index / SUPER);
  const draw = unit(mix(seed, 710), section);
  const width = draw < 0.7 ? 16 : draw < 0.95 ? 256 : 8192;
  const block = Math.floor(index / width);
  const key = mix(mix(seed, 711 + width), block);
  if (unit(key, 1) >= MANAGED) return null;
  const from = block * width;
  return {
    from,
    to: Math.min(size, from + width),
    platform: PLATFORMS[key % PLATFORMS.length] as Platform,
  };
};

/** Whether an account belongs to a client of the agency of its range. */
export const isClient = (seed: number, platform: Platform, index: number): boolean =>
  unit(mix(mix(seed, 712), index), 0) < CLIENTS &&
  unit(mix(mix(seed, 712), index), 1 + PLATFORMS.indexOf(platform)) < CLIENTS;
