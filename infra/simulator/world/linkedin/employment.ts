import { pick, unit } from '../hash.ts';
import { COUNTRIES } from './places.ts';

/** Where a person on LinkedIn lives; some pages name the town alone. */
export interface Residence {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly town: string;
  readonly showsCountry: boolean;
}

export const residenceOf = (key: number): Residence => {
  const [country, , towns] = pick(COUNTRIES, key, 176);
  return { country, town: pick(towns, key, 177), showsCountry: unit(key, 178) < 0.8 };
};
