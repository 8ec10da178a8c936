import { describe, expect, it } from 'vitest';
import { nameKey, wordKeys, wordsOfEntry } from '../../../../src/projections/views/directory/tables.ts';

const words = (count: number, of = 'w') => Array.from({ length: count }, (_, i) => `${of}${i}`);

describe('words of an entry', () => {
  it('are the handle and the words of the name, once each, folded', () => {
    expect(wordsOfEntry('leila', 'Leila  (BELOV) Ｂ')).toBe(' leila belov b');
    expect([wordsOfEntry(null, 'Belov'), wordsOfEntry('leila', null), wordsOfEntry(null, null)]).toEqual([
      ' belov',
      ' leila',
      '',
    ]);
  });

  it('are at most 24, however long the name', () => {
    expect(wordsOfEntry('handle', words(100).join(' ')).split(' ')).toHaveLength(25);
    expect(wordKeys(words(100).join(' '))).toHaveLength(25);
  });

  it('have keys that fit an index: at most 60 code units, without half characters', () => {
    for (const key of wordKeys(`${'ж'.repeat(500)} ${'𝒳'.repeat(40)}`)) {
      expect(key.length).toBeLessThanOrEqual(60);
      expect(key.isWellFormed()).toBe(true);
    }
  });

  it('include the whole name, where it is more than one word', () => {
    expect(wordKeys("Sinéad O'Brien")).toEqual(['sinead', 'o', 'brien', ' sinead o brien']);
    expect([wordKeys('Anna'), wordKeys('✦'), wordKeys(null)]).toEqual([['anna'], [], []]);
    expect([nameKey('Anna Berg'), nameKey('Anna'), nameKey('')]).toEqual([' anna berg', 'anna', undefined]);
  });
});
