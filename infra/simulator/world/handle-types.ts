import type { Platform } from '../simulated-platforms.ts';

/** Maximum accounts per platform that handles can encode. */
export const MAX_SIZE = 2 ** 24;
/** Number of outsiders that handles can encode: followers that are not of the population. */
export const MAX_OUTSIDERS = 2 ** 30;
/** Maximum number of handles per account. */
export const GENERATIONS = 4;

/**
 * How a handle relates to the other handles of its number: the same on every platform, the same names written
 * otherwise, or other names. Outsiders have numbers of their own on each platform.
 */
export type HandleForm = 'same' | 'similar' | 'own' | 'outsider';

/** Decoded parts of a handle. */
export interface HandleParts {
  readonly form: HandleForm;
  /** Number of the person (`same`, `similar`), of the account of the platform (`own`) or of the outsider. */
  readonly number: number;
  readonly generation: number;
  /** Whether it has a separator or an ending, as its platform allows; `same` handles have none. */
  readonly separated: boolean;
}

export interface Names {
  readonly first: string;
  readonly last: string;
  readonly second: string;
}

export interface Written {
  readonly handle: string;
  readonly shown: string;
}

/** How handles of all accounts of a world are written and taken. */
export interface HandleLaw {
  /** Share of handles with a separator; at most 0.22. */
  readonly separated: number;
  /** Chance that an outsider of a given platform has the name of another person. */
  readonly namesakes: number;
  /** Whether an account of the population has, had or will have the handle. */
  isTaken(platform: Platform, parts: HandleParts): boolean;
}

export interface Handles {
  /** Share of all spellings that outsiders of a platform have. */
  readonly density: number;
  /** Lower case. */
  encode(platform: Platform, parts: HandleParts): string;
  /** Null if no account can ever have this handle. */
  decode(platform: Platform, handle: string): HandleParts | null;
  /** Lower case, and as displayed: some people use capitals where the platform ignores case. */
  written(platform: Platform, parts: HandleParts): Written;
  /** Names of residents. */
  namesOf(platform: Platform, parts: Pick<HandleParts, 'form' | 'number'>): Names;
  /** Number of the spelling of an outsider's handle, the same on all platforms; and who has it on a platform. */
  spellingOf(platform: Platform, number: number): number;
  outsiderWith(platform: Platform, spelling: number): number | null;
  /** Whether outsiders alone have it. */
  isOfOutsiders(spelling: number): boolean;
  /** The handle of an outsider, and its names. */
  spelled(platform: Platform, spelling: number): Written & { readonly names: Names };
}
