import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { type HandleShape, NO_TAIL, readShape, shapeOf, tailNumber, tailText } from './handle-shapes.ts';
import { mix, type Permutation, permutation, unit } from './hash.ts';
import { FIRST_NAMES, LAST_NAMES } from './name-parts.ts';

/** Maximum accounts per platform that handles can encode. */
export const MAX_SIZE = 2 ** 24;
/** Number of outsiders that handles can encode: followers that are not of the population. */
export const MAX_OUTSIDERS = 2 ** 30;
/** Maximum number of handles per account. */
export const GENERATIONS = 4;

/**
 * How a handle relates to the other handles of its number: the same on every platform, the same names written
 * otherwise, or other names. Outsiders have numbers of their own.
 */
export type HandleForm = 'same' | 'similar' | 'own' | 'outsider';

/** Decoded parts of a handle. */
export interface HandleParts {
  readonly form: HandleForm;
  /** Number of the person (`same`, `similar`), of the account of the platform (`own`) or of the outsider. */
  readonly number: number;
  readonly generation: number;
}

/** Valid on every platform. All others have separators or an ending, which distinguishes the forms. */
const SAME = ['FLT', 'LFT'];
/** The first four are for similar handles, the others for handles of their own. */
const TEMPLATES: Readonly<Record<Platform, readonly string[]>> = {
  x: ['F_LT', 'L_FT', 'FL_T', '_FLT', 'LF_T', 'F_L_T', 'L_F_T', '_LFT'],
  instagram: ['F.LT', 'L.FT', 'F_LT', 'F.L.T', 'FL_T', 'L_F.T', 'FL.T', 'LF_T'],
  tiktok: ['F.LT', 'F_LT', 'L.FT', 'FL.T', 'FL_T', 'L_FT', 'LF_T', 'LF.T'],
  youtube: ['F-LT', 'F.LT', 'L-FT', 'F_LT', 'FL_T', 'FL-T', 'L-F-T', 'LF-T'],
  telegram: ['F_LT', 'L_FT', 'FL_T', 'the_FLT', 'LF_T', 'F_L_T', 'L_F_T', 'real_FLT'],
  bluesky: [
    'F-LT.bsky.social',
    'FL-T.bsky.social',
    'FLT.dev',
    'L-FT.bsky.social',
    'F-L-T.bsky.social',
    'LF-T.bsky.social',
    'F-LT.com',
    'LFT.blog',
  ],
  linkedin: ['F-LT', 'F-L-T', 'L-FT', 'FL-T', 'L-F-T', 'LF-T', 'the-FLT', 'F-de-LT'],
};

const suffixOf = (platform: Platform): string => (platform === 'bluesky' ? '.bsky.social' : '');

interface Style {
  readonly form: HandleForm;
  readonly shape: HandleShape;
}

const stylesOf = (platform: Platform): readonly Style[] => [
  ...SAME.map((template): Style => ({ form: 'same', shape: shapeOf(template + suffixOf(platform)) })),
  ...TEMPLATES[platform].map(
    (template, n): Style => ({ form: n < 4 ? 'similar' : 'own', shape: shapeOf(template) }),
  ),
  { form: 'outsider', shape: shapeOf(`FLT${suffixOf(platform)}`) },
];
const STYLES = Object.fromEntries(PLATFORMS.map((platform) => [platform, stylesOf(platform)])) as Record<
  Platform,
  readonly Style[]
>;
/** Positions of the forms among the styles. */
const FIRST_STYLE = { same: 0, similar: 2, own: 6, outsider: 10 } as const;

export interface Names {
  readonly first: string;
  readonly last: string;
  readonly second: string;
}

export interface Handles {
  /** Lower case. */
  encode(platform: Platform, parts: HandleParts): string;
  /** Null if no account can ever have this handle. */
  decode(platform: Platform, handle: string): HandleParts | null;
  /** Lower case, and as displayed: some people use capitals where the platform ignores case. */
  written(platform: Platform, parts: HandleParts): { readonly handle: string; readonly shown: string };
  namesOf(platform: Platform, parts: HandleParts): Names;
}

/** A keyed permutation of ten bits or its inverse, as `permutation(1024, key)` but without an object for each key. */
const shuffled = (value: number, key: number, back: boolean): number => {
  let left = value >>> 5;
  let right = value & 31;
  if (back) [left, right] = [right, left];
  for (let n = 0; n < 4; n++) {
    const next = left ^ (mix(mix(key, back ? 3 - n : n), right) & 31);
    left = right;
    right = next;
  }
  return back ? (right << 5) | left : (left << 5) | right;
};

/**
 * Handles that are computed from a number and decoded back without a table. 24 bits of the number are permuted; 16
 * select the names; eight, and two of the generation, are permuted again, keyed by the names, and select the tail.
 */
export const createHandles = (seed: number): Handles => {
  const shared = permutation(MAX_SIZE, mix(seed, 101));
  const crowd = permutation(MAX_OUTSIDERS, mix(seed, 103));
  const own = new Map(PLATFORMS.map((p, n) => [p, permutation(MAX_SIZE, mix(mix(seed, 104), n))]));
  const codes = (platform: Platform, form: HandleForm): Permutation =>
    form === 'outsider' ? crowd : form === 'own' ? (own.get(platform) as Permutation) : shared;
  const keyOf = (platform: Platform, form: HandleForm, names: number): number => {
    const key = mix(mix(seed, 102), names);
    return form === 'same' ? key : mix(key, PLATFORMS.indexOf(platform) * 4 + (form === 'own' ? 1 : 2));
  };
  const styleAt = (form: HandleForm, key: number, tail: number): number => {
    const draw = unit(key, tail);
    if (form === 'same') return FIRST_STYLE.same + (draw < 0.5 ? 0 : 1);
    return form === 'outsider' ? FIRST_STYLE.outsider : FIRST_STYLE[form] + Math.floor(draw * 4);
  };

  const compose = (platform: Platform, { form, number, generation }: HandleParts) => {
    const code = codes(platform, form).apply(number);
    const names = code & 0xffff;
    const key = keyOf(platform, form, names);
    const tail =
      form === 'outsider'
        ? 10_000 + (code >>> 16)
        : shuffled((code >>> 16) * GENERATIONS + generation, key, false);
    const { shape } = STYLES[platform][styleAt(form, key, tail)] as Style;
    return { names, tail, shape, text: form === 'outsider' ? String(tail) : tailText(tail) };
  };

  const assemble = ({ names, shape, text }: ReturnType<typeof compose>, capitals: boolean): string => {
    const name = (word: string) => (capitals ? word.charAt(0).toUpperCase() + word.slice(1) : word);
    let out = '';
    for (const piece of shape.pieces) {
      if (piece === 'F') out += name(FIRST_NAMES[names & 255] as string);
      else if (piece === 'L') out += name(LAST_NAMES[names >>> 8] as string);
      else if (piece === 'T') out += text === '' && shape.separated ? NO_TAIL : text;
      else out += piece;
    }
    return out;
  };

  const encode: Handles['encode'] = (platform, parts) => assemble(compose(platform, parts), false);

  const decodeAs = (platform: Platform, { form, shape }: Style, handle: string): HandleParts | null => {
    const letters = readShape(shape, handle);
    if (!letters) return null;
    const names = letters.first | (letters.last << 8);
    let parts: HandleParts;
    if (form === 'outsider') {
      const digits = /^[12]\d{4}$/.test(letters.tail) ? Number(letters.tail) - 10_000 : -1;
      if (digits < 0 || digits > 16_383) return null;
      parts = { form, number: codes(platform, form).invert(names | (digits << 16)), generation: 0 };
    } else {
      const tail = tailNumber(shape.separated && letters.tail === NO_TAIL ? '' : letters.tail);
      if (tail === undefined) return null;
      const rest = shuffled(tail, keyOf(platform, form, names), true);
      const number = codes(platform, form).invert(names | (Math.floor(rest / GENERATIONS) << 16));
      parts = { form, number, generation: rest % GENERATIONS };
    }
    return encode(platform, parts) === handle ? parts : null;
  };

  return {
    encode,
    decode: (platform, handle) => {
      for (const style of STYLES[platform]) {
        const parts = decodeAs(platform, style, handle);
        if (parts) return parts;
      }
      return null;
    },
    written: (platform, parts) => {
      const composed = compose(platform, parts);
      const handle = assemble(composed, false);
      const ignored = platform === 'x' || platform === 'telegram' || platform === 'youtube';
      const capitals = ignored && mix(composed.names, composed.tail) % 3 === 0;
      return { handle, shown: capitals ? assemble(composed, true) : handle };
    },
    namesOf: (platform, { form, number }) => {
      const code = codes(platform, form).apply(number);
      return {
        first: FIRST_NAMES[code & 255] as string,
        last: LAST_NAMES[(code >>> 8) & 255] as string,
        second: LAST_NAMES[(code >>> 16) & 255] as string,
      };
    },
  };
};
