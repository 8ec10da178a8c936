import { describe, expect, it } from 'vitest';
import { costOf, explodes, growthOf, isLinear, type Text, type Work } from './growth.ts';
import { sources } from './regex-literals.ts';
import { FUNCTIONS, HALVES, NO_STRANGERS, PUMPS } from './strangers-text.ts';

/** A length of texts, and the time that quadratic work exceeds there; whether it is quadratic is judged by its growth. */
interface Screening {
  readonly length: number;
  readonly suspiciousMs: number;
}

const SHORT: Screening = { length: 16_384, suspiciousMs: 5 };
/** Where work grows fast that linear work beside it hides in shorter texts. */
const LONG: Screening = { length: 131_072, suspiciousMs: 20 };

const repeated =
  (pump: string): Text =>
  (length) =>
    pump.repeat(Math.ceil(length / pump.length));

const TEXTS: readonly (readonly [string, Text])[] = [
  ...PUMPS.map((pump) => [pump, repeated(pump)] as const),
  // What ends differently is where a search has to give up.
  ...PUMPS.map(
    (pump) => [`${pump} and an end`, (length: number) => `${repeated(pump)(length)}\u0001x`] as const,
  ),
  // A quote that never ends takes in all that follows.
  ['a quote, then lines', (length) => `"${`${'c'.repeat(200)},d\n`.repeat(length / 200)}`],
  ...HALVES.map(
    ([first, second]) =>
      [
        `${first} and ${second}`,
        (length: number) => repeated(first)(length / 2) + repeated(second)(length / 2),
      ] as const,
  ),
];

/** The first text on which a work grows faster than the text; null if there is none. */
const growingOn = async (work: Work, { length, suspiciousMs }: Screening): Promise<string | null> => {
  for (const [what, text] of TEXTS) {
    const isSuspicious = (await explodes(work, text)) || (await costOf(work, text(length))) >= suspiciousMs;
    if (!isSuspicious) continue;
    const growth = await growthOf(work, text, length === LONG.length);
    if (!isLinear(growth)) return `${JSON.stringify(what)}: ${growth?.toFixed(0)} times`;
  }
  return null;
};

/** Searching of texts, as far as a program's text shows it. */
const SEARCHES = /\b(?:indexOf|lastIndexOf|charCodeAt|codePointAt|charAt)\(|new Parser\(|\bmatchAll\(/;

describe.for(Object.entries(FUNCTIONS))('%s', ([, works]) => {
  it.for(Object.entries(works))(
    '%s takes at most in proportion longer for a longer text',
    async ([, work]) => {
      expect(await growingOn(work, SHORT)).toBeNull();
    },
  );

  it.for(Object.entries(works))(
    '%s takes at most in proportion longer for long texts',
    { tags: 'long' },
    async ([, work]) => {
      expect(await growingOn(work, LONG)).toBeNull();
    },
  );
});

describe('every file that searches text', () => {
  const searching = sources()
    .filter(({ text }) => SEARCHES.test(text))
    .map(({ file }) => file);

  it('is on the list of functions that are tried, or on that of files without text of strangers', () => {
    const listed = new Set([...Object.keys(FUNCTIONS), ...Object.keys(NO_STRANGERS)]);
    expect(searching.filter((file) => !listed.has(file))).toEqual([]);
  });

  it('is excused only if it is there', () => {
    expect(Object.keys(NO_STRANGERS).filter((file) => !searching.includes(file))).toEqual([]);
  });
});
