import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLookUpKey, keyOf, shown, shownIn, shownJson, storable, truncated } from '../../src/kernel/text.ts';
import { HIDDEN, hiddenIn, NEVER_SHOWN, PAIRED, WITH_ALL_HIDDEN } from '../support/hidden-characters.ts';

const [LRE, RLE, PDF] = ['\u202a', '\u202b', '\u202c'];
const [LRI, RLI, FSI, PDI] = ['\u2066', '\u2067', '\u2068', '\u2069'];

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...PAIRED, '\n'),
    fc.constantFrom(...HIDDEN),
    fc.constantFrom('a', 'א', 'ب'),
  ),
  maxLength: 24,
});

/** Whether all that begins in each paragraph ends there, what began last first. */
const closes = (of: string): boolean =>
  of.split(/[\n\r\u2029]/).every((paragraph) => {
    const open: string[] = [];
    for (const one of paragraph) {
      if (one === LRE || one === RLE) open.push(PDF);
      else if (one === LRI || one === RLI || one === FSI) open.push(PDI);
      else if ((one === PDF || one === PDI) && open.pop() !== one) return false;
    }
    return open.length === 0;
  });

const visible = (of: string): string => [...of].filter((one) => !HIDDEN.includes(one)).join('');

describe('a text that is shown', () => {
  it('has no hidden characters but pairs that close, and all of its visible ones', () => {
    fc.assert(
      fc.property(text, fc.nat(30), (found, max) => {
        for (const one of [shown(found), storable(found), truncated(storable(found), max)]) {
          expect(hiddenIn(one).filter((each) => NEVER_SHOWN.includes(each))).toEqual([]);
          expect(closes(one)).toBe(true);
          if (!/[אب]/.test(one)) expect(hiddenIn(one)).toEqual([]);
          expect(storable(one)).toBe(one);
        }
        expect(visible(shown(found))).toBe(visible(found));
      }),
      { seed: 47, numRuns: 2_000 },
    );
  });

  it.each([
    `see ${RLI}שלום${PDI} there`,
    `${RLE}שלום ${LRE}ABC${PDF} ${FSI}x${PDI}${PDF}`,
    `${LRI}مرحبا${PDI}\n${RLI}a${PDI}`,
  ])('keeps the pairs of %j', (found) => {
    expect(shown(found)).toBe(found);
  });

  it.each([
    ['an isolate that a line ends', `${RLI}שלום\n${PDI}`, 'שלום\n'],
    ['an embedding that its isolate ends', `${RLI}${RLE}שלום${PDI}${PDF}`, `${RLI}שלום${PDI}`],
    ['an end without a beginning', `שלום${PDF}${PDI}`, 'שלום'],
    ['an override', '\u202eשלום\u202c', 'שלום'],
    ['a pair that no script needs', `${RLI}invoice${PDI}`, 'invoice'],
  ])('loses %s', (_, found, left) => {
    expect(shown(found)).toBe(left);
  });

  it('is the same in every text of a value, and in its names', () => {
    const value = { [WITH_ALL_HIDDEN]: [WITH_ALL_HIDDEN, { n: 1, none: null }], at: 5n };
    expect(hiddenIn(JSON.stringify(shownIn(value), (_, one) => (typeof one === 'bigint' ? 0 : one)))).toEqual(
      [],
    );
    expect(hiddenIn(shownJson({ [WITH_ALL_HIDDEN]: WITH_ALL_HIDDEN }, 2))).toEqual([]);
  });
});

it.each(HIDDEN.map((one) => [one.charCodeAt(0).toString(16), one]))('no key has U+%s', (_, one) => {
  expect(isLookUpKey(`a${one}b`)).toBe(false);
  expect(keyOf(`ש${one}ל${PDI}`, 100)).toBe('של');
});
