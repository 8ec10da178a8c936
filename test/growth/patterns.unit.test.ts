import { describe, expect, it } from 'vitest';
import { costOf, explodes, growthOf, isLinear } from './growth.ts';
import { type Literal, literals } from './regex-literals.ts';

/** Patterns whose text is cut before, so that there is nothing to grow; by file and beginning. */
const BOUNDED: readonly { readonly file: string; readonly begins: string; readonly bound: string }[] = [
  {
    file: 'crawlers/platforms/telegram/message.ts',
    begins: '\\d[\\d.,\\s]*[KMB]?$',
    bound: 'the last 40 characters',
  },
  {
    file: 'projections/views/leads/titles/classify-title.ts',
    begins: '^\\W*(?:\\p{L}+',
    bound: '300 characters of a title',
  },
];

const isBounded = ({ file, source }: Literal): boolean =>
  BOUNDED.some((each) => each.file === file && source.startsWith(each.begins));

const CHARACTERS = [
  'a',
  '0',
  ' ',
  '.',
  ',',
  '/',
  '<',
  '-',
  '_',
  '@',
  '\n',
  '\r',
  '"',
  '=',
  'é',
  '(',
  '[',
  ';',
  '&',
];

/** What a pattern itself looks for, in which it may go astray. */
const fragmentsOf = (source: string): string[] => {
  const plain = source.replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?/g, ' ');
  return [...new Set(plain.match(/[\w:/<=@.,"'#&%;-]+/g) ?? [])].slice(0, 6);
};

const SHORT = 2_048;
const SUSPICIOUS_MS = 1.5;

/** Texts that a pattern takes long for; each is looked at closely. */
const suspects = async ({
  source,
  flags,
}: Literal): Promise<readonly { readonly what: string; readonly growth: number | null }[]> => {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const fragments = fragmentsOf(source);
  const found: { what: string; growth: number | null }[] = [];
  for (const pump of [...CHARACTERS, ...fragments, 'a ', ' a', '0,', '1 1', '<a']) {
    for (const before of ['', ...fragments.slice(0, 1)]) {
      for (const after of ['', '\u0001']) {
        const text = (length: number) => before + pump.repeat(Math.ceil(length / pump.length)) + after;
        // Everywhere in the text, as replacing does.
        const work = (given: string) => given.replace(pattern, '');
        const isSuspicious =
          (await explodes(work, text)) || (await costOf(work, text(SHORT))) >= SUSPICIOUS_MS;
        if (!isSuspicious) continue;
        found.push({ what: JSON.stringify([before, pump, after]), growth: await growthOf(work, text) });
      }
    }
  }
  return found;
};

describe('every pattern of the program', () => {
  const all = literals().filter((literal) => !isBounded(literal));

  it('takes at most in proportion longer for a longer text, whatever the text repeats', async () => {
    const bad: string[] = [];
    for (const literal of all) {
      for (const { what, growth } of await suspects(literal)) {
        if (!isLinear(growth))
          bad.push(`${literal.file}: /${literal.source}/ on ${what}: ${growth?.toFixed(0)} times`);
      }
    }
    expect(bad).toEqual([]);
  });

  it('is exempt only if it is there', () => {
    const known = literals();
    for (const each of BOUNDED) {
      const matching = known.filter(
        ({ file, source }) => each.file === file && source.startsWith(each.begins),
      );
      expect(matching, `${each.file} ${each.begins}`).toHaveLength(1);
    }
  });
});

describe('the growth of a work', () => {
  it('is distinguished from that of a quadratic one', async () => {
    const text = (length: number) => `${'.'.repeat(length)}x`;
    const quadratic = await growthOf((given) => given.replace(/[.,]+$/, ''), text);
    expect(isLinear(quadratic)).toBe(false);
    const linear = await growthOf((given) => given.replace(/[.,]/g, ''), text);
    expect(isLinear(linear)).toBe(true);
  });

  it('is infinite where a text of a few characters takes long, and never tried on a long one', async () => {
    const exponential = await growthOf(
      (given) => /^(?:a+\s?)+:$/.test(given),
      (length) => `${'a'.repeat(length)}!`,
    );
    expect(exponential).toBe(Number.POSITIVE_INFINITY);
    expect(isLinear(exponential)).toBe(false);
  });
});
