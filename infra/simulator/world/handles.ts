import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import {
  type HandleShape,
  type HandleWords,
  readShape,
  SHORT_TAILS,
  shapeOf,
  TAILS,
  writeShape,
} from './handle-shapes.ts';
import {
  GENERATIONS,
  type HandleForm,
  type HandleLaw,
  type HandleParts,
  type Handles,
  MAX_OUTSIDERS,
  MAX_SIZE,
  type Names,
  type Written,
} from './handle-types.ts';
import { halfBits, keyFor, mix, type Permutation, permutation, permuted, unit } from './hash.ts';
import { platformNumber } from './identity.ts';
import { FIRST_NAMES, LAST_NAMES } from './name-parts.ts';

/** Valid on every platform. */
const PLAIN = ['FLT', 'LFT'];
/** As many for each platform; on X a handle has at most 15 characters. */
const SEPARATED: Readonly<Record<Platform, readonly string[]>> = {
  x: ['F_LT', 'L_FT', 'FL_T', 'LF_T', '_FLT', '_LFT'],
  instagram: ['F.LT', 'L.FT', 'F_LT', 'L_FT', 'FL_T', 'LF.T'],
  tiktok: ['F.LT', 'L.FT', 'F_LT', 'L_FT', 'FL_T', 'LF.T'],
  youtube: ['F-LT', 'L-FT', 'F_LT', 'L.FT', 'FL-T', 'LF_T'],
  telegram: ['F_LT', 'L_FT', 'FL_T', 'LF_T', 'F_L_T', 'the_FLT'],
  bluesky: [
    'F-LT.bsky.social',
    'L-FT.bsky.social',
    'FL-T.bsky.social',
    'LF-T.bsky.social',
    'FLT.dev',
    'LFT.blog',
  ],
  linkedin: ['F-LT', 'L-FT', 'FL-T', 'LF-T', 'F-L-T', 'F-de-LT'],
};
const TEMPLATES = 6;

const suffixOf = (platform: Platform): string => (platform === 'bluesky' ? '.bsky.social' : '');

const SHAPES = Object.fromEntries(
  PLATFORMS.map((platform) => [
    platform,
    {
      plain: PLAIN.map((template) => shapeOf(template + suffixOf(platform))),
      separated: SEPARATED[platform].map(shapeOf),
    },
  ]),
) as unknown as Record<Platform, Readonly<Record<'plain' | 'separated', readonly HandleShape[]>>>;

/** Spellings of two names. Handles of residents have the first positions, in an order that is drawn for the names. */
const SPELLINGS = { plain: PLAIN.length * TAILS, separated: TEMPLATES * SHORT_TAILS };
const HALVES = { plain: halfBits(SPELLINGS.plain), separated: halfBits(SPELLINGS.separated) };
/** Positions of the handles of one form of all numbers with the same names. */
const BLOCK = (MAX_SIZE / 65_536) * GENERATIONS;
/** Plain spellings begin with those of `same` handles; then, with and without separators, `similar` and `own` ones. */
const DRAWN = 2 * BLOCK;
const DRAWN_HALF = halfBits(DRAWN);
const FIRST_DRAWN = { plain: BLOCK, separated: 0 };
const FREE = { plain: BLOCK + DRAWN, separated: DRAWN };

const ALL_TAKEN: HandleLaw = { separated: 0.15, namesakes: 0.03, isTaken: () => true };

/**
 * Handles that are computed from a number and decoded without a table. 24 bits of the number of a resident are
 * permuted; 16 select the names; eight, and two of the generation, select the spelling. Outsiders have a permuted share
 * of all spellings of all names, on each platform another one.
 */
export const createHandles = (seed: number, law: HandleLaw = ALL_TAKEN): Handles => {
  const shared = permutation(MAX_SIZE, keyFor(seed, 'names of people'));
  const own = Object.fromEntries(
    PLATFORMS.map((platform) => [platform, permutation(MAX_SIZE, keyFor(seed, `names on ${platform}`))]),
  ) as Record<Platform, Permutation>;
  const spellingKey = keyFor(seed, 'spellings');
  const drawnKey = keyFor(seed, 'spellings of a platform');
  const openKey = keyFor(seed, 'open spellings');

  // Outsiders: plain spellings, then separated ones of the given share, then those among which residents have theirs.
  const plain = SPELLINGS.plain - FREE.plain;
  const separated = Math.round((law.separated / (1 - law.separated)) * SPELLINGS.plain);
  if (separated > SPELLINGS.separated - FREE.separated)
    throw new RangeError(
      `the share of handles with separators is higher than on any platform: ${law.separated}`,
    );
  const spellings = plain + separated + DRAWN;
  const ownersOnly = 65_536 * (plain + separated);
  const crowd = Object.fromEntries(
    PLATFORMS.map((platform) => [
      platform,
      permutation(65_536 * spellings, keyFor(seed, `handles of outsiders on ${platform}`)),
    ]),
  ) as Record<Platform, Permutation>;
  const density = MAX_OUTSIDERS / (65_536 * spellings);
  const openShare = Math.min(1, law.namesakes / density);

  const codeOf = (platform: Platform, form: HandleForm): Permutation =>
    form === 'own' ? own[platform] : shared;

  /** A spelling: names, class, and the position in its order. */
  interface Spelling {
    readonly names: number;
    readonly kind: 'plain' | 'separated';
    readonly position: number;
  }

  const drawnPosition = (platform: Platform, names: number, position: number, back: boolean): number =>
    permuted(position, DRAWN, DRAWN_HALF, mix(mix(drawnKey, names), platformNumber(platform)), back);

  const ofResident = (platform: Platform, parts: HandleParts): Spelling => {
    const code = codeOf(platform, parts.form).apply(parts.number);
    const names = code & 0xffff;
    const rest = (code >>> 16) * GENERATIONS + parts.generation;
    if (parts.form === 'same') return { names, kind: 'plain', position: rest };
    const kind = parts.separated ? 'separated' : 'plain';
    const position = drawnPosition(platform, names, rest + (parts.form === 'own' ? BLOCK : 0), false);
    return { names, kind, position: FIRST_DRAWN[kind] + position };
  };

  const residentAt = (platform: Platform, { names, kind, position }: Spelling): HandleParts => {
    const rest =
      kind === 'plain' && position < BLOCK
        ? position
        : drawnPosition(platform, names, position - FIRST_DRAWN[kind], true) + BLOCK;
    const form = rest < BLOCK ? 'same' : rest < 2 * BLOCK ? 'similar' : 'own';
    const code = names | (Math.floor((rest % BLOCK) / GENERATIONS) << 16);
    return {
      form,
      number: codeOf(platform, form).invert(code),
      generation: rest % GENERATIONS,
      separated: kind === 'separated',
    };
  };

  /** Spellings by number, as outsiders have them. */
  const spellingAt = (number: number): Spelling => {
    const names = number % 65_536;
    const rest = Math.floor(number / 65_536);
    if (rest < plain) return { names, kind: 'plain', position: FREE.plain + rest };
    if (rest < plain + separated)
      return { names, kind: 'separated', position: FREE.separated + rest - plain };
    return { names, kind: 'plain', position: BLOCK + rest - plain - separated };
  };
  const numberOf = ({ names, kind, position }: Spelling): number => {
    const rest =
      kind === 'separated'
        ? plain + position - FREE.separated
        : position >= FREE.plain
          ? position - FREE.plain
          : plain + separated + position - BLOCK;
    return names + 65_536 * rest;
  };
  /** Whether no outsider of the platform may have a spelling: residents have some of the last ones. */
  const isClosed = (platform: Platform, number: number): boolean => {
    if (number < ownersOnly) return false;
    if (unit(mix(mix(openKey, platformNumber(platform)), number >>> 0), number % 97) >= openShare)
      return true;
    return law.isTaken(platform, residentAt(platform, spellingAt(number)));
  };

  const spellingOf: Handles['spellingOf'] = (platform, number) => {
    let found = number;
    do found = crowd[platform].apply(found);
    while (isClosed(platform, found));
    return found;
  };
  const outsiderWith: Handles['outsiderWith'] = (platform, spelling) => {
    if (isClosed(platform, spelling)) return null;
    let found = spelling;
    do found = crowd[platform].invert(found);
    while (isClosed(platform, found));
    return found < MAX_OUTSIDERS ? found : null;
  };

  const find = (platform: Platform, parts: HandleParts): Spelling =>
    parts.form === 'outsider' ? spellingAt(spellingOf(platform, parts.number)) : ofResident(platform, parts);

  const compose = (platform: Platform, found: Spelling): { shape: HandleShape; words: HandleWords } => {
    const { names, kind, position } = found;
    const spelling = permuted(position, SPELLINGS[kind], HALVES[kind], mix(spellingKey, names), false);
    const shapes = SHAPES[platform][kind];
    return {
      shape: shapes[spelling % shapes.length] as HandleShape,
      words: { names, tail: Math.floor(spelling / shapes.length) },
    };
  };

  const read = (platform: Platform, handle: string): Spelling | null => {
    for (const kind of ['plain', 'separated'] as const) {
      const shapes = SHAPES[platform][kind];
      for (const [n, shape] of shapes.entries()) {
        const words = readShape(shape, handle);
        if (!words) continue;
        const spelling = words.tail * shapes.length + n;
        if (spelling >= SPELLINGS[kind]) continue;
        const key = mix(spellingKey, words.names);
        const position = permuted(spelling, SPELLINGS[kind], HALVES[kind], key, true);
        return { names: words.names, kind, position };
      }
    }
    return null;
  };

  const decode: Handles['decode'] = (platform, handle) => {
    const found = read(platform, handle);
    if (found === null) return null;
    if (found.position < FREE[found.kind]) {
      const resident = residentAt(platform, found);
      if (resident.form === 'same' || found.kind === 'separated' || law.isTaken(platform, resident))
        return resident;
      const outsider = outsiderWith(platform, numberOf(found));
      return outsider === null
        ? resident
        : { form: 'outsider', number: outsider, generation: 0, separated: false };
    }
    if (found.kind === 'separated' && found.position - FREE.separated >= separated) return null;
    const outsider = outsiderWith(platform, numberOf(found));
    if (outsider === null) return null;
    return {
      form: 'outsider',
      number: outsider,
      generation: 0,
      separated: found.kind === 'separated',
    };
  };

  const write = (platform: Platform, found: Spelling): Written => {
    const { shape, words } = compose(platform, found);
    const handle = writeShape(shape, words, false);
    const ignored = platform === 'x' || platform === 'telegram' || platform === 'youtube';
    const capitals = ignored && mix(words.names, words.tail) % 3 === 0;
    return { handle, shown: capitals ? writeShape(shape, words, true) : handle };
  };
  const namesIn = (code: number, second: number): Names => ({
    first: FIRST_NAMES[code & 255] as string,
    last: LAST_NAMES[(code >>> 8) & 255] as string,
    second: LAST_NAMES[second & 255] as string,
  });

  return {
    density,
    encode: (platform, parts) => {
      const { shape, words } = compose(platform, find(platform, parts));
      return writeShape(shape, words, false);
    },
    decode,
    written: (platform, parts) => write(platform, find(platform, parts)),
    namesOf: (platform, { form, number }) => {
      const code = codeOf(platform, form).apply(number);
      return namesIn(code, code >>> 16);
    },
    spellingOf,
    outsiderWith,
    isOfOutsiders: (spelling) => spelling < ownersOnly,
    spelled: (platform, spelling) => {
      const found = spellingAt(spelling);
      return {
        ...write(platform, found),
        names: namesIn(found.names, mix(found.names, Math.floor(spelling / 65_536))),
      };
    },
  };
};
