import { type Agency, agencyOf } from './agencies.ts';
import type { HandleParts, Handles } from './handle-types.ts';
import { pageOf } from './links.ts';

/** Link pages by their names, which look alike whatever they list. */
export interface Pages {
  ofPerson(index: number): string;
  ofAgency(agency: Agency): string;
  /** The person or the agency that a page’s name is of; null if it is of neither. */
  ownerOf(name: string): { readonly person: number } | { readonly agency: Agency } | null;
}

const ON = 'instagram';

export const createPages = (seed: number, size: number, handles: Handles): Pages => {
  const namedBy = (form: HandleParts['form'], number: number, generation: number): string =>
    handles.encode(ON, { form, number, generation, separated: false });
  // The last generation: hardly any account has that name itself.
  const ofAgency = ({ from }: Agency): string => namedBy('own', from, 3);
  return {
    ofPerson: (index) => pageOf(namedBy('same', index, 0)),
    ofAgency: (agency) => pageOf(ofAgency(agency)),
    ownerOf: (name) => {
      const parts = handles.decode(ON, name);
      if (parts === null || parts.number >= size || parts.separated) return null;
      if (parts.form === 'same' && parts.generation === 0) return { person: parts.number };
      if (parts.form !== 'own') return null;
      const agency = agencyOf(seed, size, parts.number);
      return agency !== null && ofAgency(agency) === name ? { agency } : null;
    },
  };
};
