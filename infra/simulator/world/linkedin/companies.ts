import { mix, permutation } from '../hash.ts';
import { LAST_NAMES } from '../name-parts.ts';

const TRADES =
  'harbor bridge mill forge garden signal paper ocean cargo grain solar copper velvet amber linen cobalt meadow summit canyon cedar engine rocket tunnel beacon anchor lantern mosaic pixel vector module kernel circuit thread fabric pepper saffron ginger orchard vineyard bakery pasta noodle travel shuttle railway motor bicycle tractor clinic dental vision memory fossil marble granite timber lumber plaster ceramic silver golden island willow thunder'.split(
    ' ',
  );
const FORMS =
  'labs group works studio partners systems foods energy health media capital logistics robotics software design consulting ventures holding institute services analytics trading security mobility education engineering hotels airlines insurance bank films games music books press radio network cloud data digital interactive global international industries supply retail fashion sports events travel research sciences biotech pharma materials chemicals plastics metals mining water power wind gas optics'.split(
    ' ',
  );

export const MAX_COMPANIES = LAST_NAMES.length * 64 * 64;

export interface Companies {
  /** `quill-harbor-labs` */
  slug(number: number): string;
  /** Null if no company can have this slug. */
  numberOf(slug: string): number | null;
}

export const createCompanies = (seed: number): Companies => {
  const shuffle = permutation(MAX_COMPANIES, mix(seed, 300));
  return {
    slug: (number) => {
      const code = shuffle.apply(number);
      return `${LAST_NAMES[code & 255]}-${TRADES[(code >>> 8) & 63]}-${FORMS[(code >>> 14) & 63]}`;
    },
    numberOf: (slug) => {
      const [name, trade, form, ...rest] = slug.split('-');
      const n = LAST_NAMES.indexOf(name ?? '');
      const t = TRADES.indexOf(trade ?? '');
      const f = FORMS.indexOf(form ?? '');
      if (n < 0 || t < 0 || f < 0 || rest.length > 0) return null;
      return shuffle.invert(n | (t << 8) | (f << 14));
    },
  };
};
