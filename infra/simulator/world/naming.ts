import type { Platform } from '../simulated-platforms.ts';
import { DAY } from './account.ts';
import { exponential } from './draws.ts';
import { GENERATIONS, type HandleParts, type Handles } from './handle-types.ts';
import { mix, unit } from './hash.ts';
import { keyOf, kindOf, personKey } from './identity.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Parameters } from './parameters.ts';
import type { People } from './people.ts';

/** A name that its account has left and another account has taken. */
export interface Takeover {
  /** Generation of the handle. */
  readonly generation: number;
  readonly leftAt: number;
  readonly takenAt: number;
  readonly impersonates: boolean;
}

export interface Naming {
  partsAt(platform: Platform, index: number, generation: number): HandleParts;
  /** Handle of a generation, lower case. */
  handleAt(platform: Platform, index: number, generation: number): string;
  generationAt(platform: Platform, index: number, at: number): number;
  /** When the account left its handles until a time, ascending. */
  renamesOf(platform: Platform, index: number, until: number): readonly number[];
  previousAt(platform: Platform, index: number, at: number): readonly string[];
  takeovers(platform: Platform, index: number, until: number): readonly Takeover[];
  /** Account of the population that has, had or will have the handle, and in which generation; null if none. */
  residentOf(
    platform: Platform,
    handle: string,
  ): { readonly index: number; readonly generation: number } | null;
}

export interface NamingSource {
  readonly seed: number;
  readonly size: number;
  readonly parameters: Parameters;
  readonly handles: Handles;
  readonly people: People;
  readonly lifecycle: Lifecycle;
  createdAt(platform: Platform, index: number): number;
}

/** Share of accounts with the handle of their person that change it together with the others. */
const TOGETHER = 0.95;

export const createNaming = (source: NamingSource): Naming => {
  const { seed, size, handles, people, lifecycle } = source;
  const { renames } = source.parameters;

  const isBot = (platform: Platform, index: number) =>
    platform === 'telegram' && kindOf(platform, keyOf(seed, platform, index)) === 'bot';
  const partsAt: Naming['partsAt'] = (platform, index, generation) => ({
    form: people.formOf(platform, index),
    number: index,
    generation,
    separated: people.isSeparated(platform, index),
  });
  const handleAt: Naming['handleAt'] = (platform, index, generation) => {
    const handle = handles.encode(platform, partsAt(platform, index, generation));
    return isBot(platform, index) ? `${handle}bot` : handle;
  };
  /** Who has one handle on all platforms mostly changes it on all. */
  const left = (platform: Platform, index: number, until: number): readonly number[] => {
    const key = keyOf(seed, platform, index);
    const everywhere =
      people.isMember(platform, index) &&
      people.formOf(platform, index) === 'same' &&
      unit(key, 282) < TOGETHER;
    return lifecycle.renamesOf(
      everywhere ? personKey(seed, index) : key,
      everywhere ? 0 : source.createdAt(platform, index),
      until,
    );
  };

  return {
    partsAt,
    handleAt,
    renamesOf: left,
    generationAt: (platform, index, at) => left(platform, index, at).length % GENERATIONS,
    previousAt: (platform, index, at) => {
      const times = left(platform, index, at).length;
      const now = times % GENERATIONS;
      const had = Array.from({ length: Math.min(GENERATIONS, times + 1) }, (_, n) => n);
      return had.filter((n) => n !== now).map((n) => handleAt(platform, index, n));
    },
    takeovers: (platform, index, until) => {
      const key = mix(keyOf(seed, platform, index), 281);
      const times = left(platform, index, until);
      // Accounts that rename often return to former names, which stay reserved.
      if (times.length >= GENERATIONS) return [];
      return times.flatMap((leftAt, generation) => {
        if (unit(key, generation) >= renames.taken) return [];
        const days = (renames.delayDays / Math.LN2) * exponential(key, 10 + generation);
        const takenAt = Math.floor((leftAt + days * DAY) / 1000) * 1000;
        const impersonates = unit(key, 20 + generation) < renames.impersonating;
        return takenAt > until ? [] : [{ generation, leftAt, takenAt, impersonates }];
      });
    },
    residentOf: (platform, handle) => {
      const plain = platform === 'telegram' && handle.endsWith('bot') ? handle.slice(0, -3) : handle;
      const parts = handles.decode(platform, plain);
      if (!parts || parts.form === 'outsider' || parts.number >= size) return null;
      // Writing it again verifies form and kind.
      return handleAt(platform, parts.number, parts.generation) === handle
        ? { index: parts.number, generation: parts.generation }
        : null;
    },
  };
};
