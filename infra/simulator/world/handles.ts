import type { Platform } from '../../../src/kernel/platform.ts';
import { mix, type Permutation, permutation, unit } from './hash.ts';
import { ENDINGS, FIRST_NAMES, LAST_NAMES } from './name-parts.ts';

/** Maximum accounts per platform that handles can encode. */
export const MAX_SIZE = 2 ** 24;
/** Maximum number of handles per account. */
export const GENERATIONS = 4;

/**
 * Eight forms of a handle: F and L are the names, T the tail. They differ in order, separators or ending, which
 * makes handles decodable.
 */
const TEMPLATES: Readonly<Record<Platform, readonly string[]>> = {
  x: ['FLT', 'F_LT', 'LFT', 'L_FT', 'FL_T', 'LF_T', 'F_L_T', '_FLT'],
  instagram: ['FLT', 'F.LT', 'LFT', 'L.FT', 'F_LT', 'F.L.T', 'FL_T', 'L_F.T'],
  tiktok: ['FLT', 'F.LT', 'F_LT', 'LFT', 'FL.T', 'FL_T', 'L_FT', 'LF_T'],
  youtube: ['FLT', 'F-LT', 'LFT', 'F.LT', 'FL_T', 'F_LT', 'FL-T', 'L-F-T'],
  telegram: ['FLT', 'F_LT', 'LFT', 'L_FT', 'FL_T', 'LF_T', 'F_L_T', 'L_F_T'],
  bluesky: [
    'FLT.bsky.social',
    'F-LT.bsky.social',
    'LFT.bsky.social',
    'FL-T.bsky.social',
    'F-L-T.bsky.social',
    'FLT.dev',
    'F-LT.com',
    'LFT.blog',
  ],
  linkedin: ['F-L-T', 'F-LT', 'FLT', 'L-F-T', 'L-FT', 'LFT', 'FL-T', 'LF-T'],
};

/** Represents an empty tail after a separator. */
const NO_TAIL = 'yes';
const tails: readonly string[] = ['', ...ENDINGS, ...Array.from({ length: 896 }, (_, n) => String(n + 1))];
const tailOf = new Map(tails.map((tail, n) => [tail, n]));
const wordOf = new Map<string, { last: boolean; n: number }>([
  ...FIRST_NAMES.map((word, n) => [word, { last: false, n }] as const),
  ...LAST_NAMES.map((word, n) => [word, { last: true, n }] as const),
]);

/** `_F.L-T.dev` as (before, order, between, before the tail, end). */
const shapeOf = (template: string): string => template.replace(/T/, '|').replace(/([FL])/g, '$1|');
const styles: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  Object.entries(TEMPLATES).map(([platform, list]) => [
    platform,
    new Map(list.map((t, n) => [shapeOf(t), n])),
  ]),
);

/** Decoded parts of a handle. */
export interface HandleParts {
  /** Number of the person, over all platforms (see `identity.ts`). */
  readonly who: number;
  readonly generation: number;
}

export interface Handles {
  /** Lower case. */
  encode(platform: Platform, parts: HandleParts): string;
  /** Null if no account can ever have this handle. */
  decode(platform: Platform, handle: string): HandleParts | null;
  /** As displayed: some people use capitals where the platform ignores case. */
  shown(platform: Platform, handle: string): string;
  namesOf(who: number): { readonly first: string; readonly last: string };
}

interface Letters {
  readonly names: number;
  readonly tail: number;
  readonly style: number;
  /** Positions of the two names and the tail. */
  readonly cuts: readonly [number, number, number];
}

const wordAt = (text: string, at: number) => {
  for (let length = 3; length <= 5; length++) {
    const word = wordOf.get(text.slice(at, at + length));
    if (word) return { ...word, end: at + length };
  }
  return null;
};

const separatorEnd = (text: string, at: number): number => {
  let end = at;
  while ('._-'.includes(text[end] ?? 'x')) end++;
  return end;
};

const read = (platform: Platform, handle: string): Letters | null => {
  const start = separatorEnd(handle, 0);
  const one = wordAt(handle, start);
  if (!one) return null;
  const twoAt = separatorEnd(handle, one.end);
  const two = wordAt(handle, twoAt);
  if (!two || two.last === one.last) return null;
  const domain = platform === 'bluesky' ? handle.indexOf('.', two.end) : handle.length;
  if (domain < 0) return null;
  const tailAt = Math.min(separatorEnd(handle, two.end), domain);
  const [a, b] = one.last ? ['L', 'F'] : ['F', 'L'];
  const shape = `${handle.slice(0, start)}${a}|${handle.slice(one.end, twoAt)}${b}|${handle.slice(two.end, tailAt)}|${handle.slice(domain)}`;
  const style = styles.get(platform)?.get(shape);
  const written = handle.slice(tailAt, domain);
  const tail = tailOf.get(tailAt > two.end && written === NO_TAIL ? '' : written);
  if (style === undefined || tail === undefined) return null;
  const [first, last] = one.last ? [two.n, one.n] : [one.n, two.n];
  return { names: first | (last << 8), tail, style, cuts: [start, twoAt, tailAt] };
};

/**
 * Handles that are computed from a number and decoded back without a table. 27 bits of `who` are permuted; 16
 * select the names; 11, and two of the generation, are permuted again, keyed by the names (and for two in five
 * people by the platform; the others have the same tail everywhere), and select tail and style.
 */
export const createHandles = (seed: number): Handles => {
  const people = permutation(2 ** 27, mix(seed, 101));
  const inner = (names: number, platform: Platform): Permutation => {
    const key = mix(mix(seed, 102), names);
    return permutation(
      2 ** 13,
      unit(key, 1) < 0.6 ? key : mix(key, platform.length * 31 + platform.charCodeAt(0)),
    );
  };
  const encode: Handles['encode'] = (platform, parts) => {
    const code = people.apply(parts.who);
    const names = code & 0xffff;
    const rest = inner(names, platform).apply((code >>> 16) * GENERATIONS + parts.generation);
    const template = TEMPLATES[platform][rest & 7] as string;
    const tail = tails[rest >>> 3] as string;
    return template.replace(/[FLT]/g, (letter) => {
      if (letter === 'F') return FIRST_NAMES[names & 255] as string;
      if (letter === 'L') return LAST_NAMES[names >>> 8] as string;
      return tail === '' && /[._-]T/.test(template) ? NO_TAIL : tail;
    });
  };
  return {
    encode,
    decode: (platform, handle) => {
      const letters = read(platform, handle);
      if (!letters) return null;
      const rest = inner(letters.names, platform).invert(letters.tail * 8 + letters.style);
      const who = people.invert(letters.names | (Math.floor(rest / GENERATIONS) << 16));
      const parts = { who, generation: rest % GENERATIONS };
      return encode(platform, parts) === handle ? parts : null;
    },
    shown: (platform, handle) => {
      if (platform !== 'x' && platform !== 'telegram' && platform !== 'youtube') return handle;
      const letters = read(platform, handle);
      if (!letters || mix(letters.names, letters.tail) % 3 > 0) return handle;
      const [a, b] = letters.cuts;
      return [...handle].map((c, at) => (at === a || at === b ? c.toUpperCase() : c)).join('');
    },
    namesOf: (who) => {
      const code = people.apply(who);
      return { first: FIRST_NAMES[code & 255] as string, last: LAST_NAMES[(code >>> 8) & 255] as string };
    },
  };
};
