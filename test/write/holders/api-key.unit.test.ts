import { describe, expect, it } from 'vitest';
import { createKey, hashKey, isKey } from '../../../src/write/holders/api-key.ts';

describe('a key', () => {
  it('is slk_ and 38 base62 characters, never the same twice', () => {
    const keys = Array.from({ length: 200 }, createKey);
    for (const made of keys) {
      expect(made).toMatch(/^slk_[0-9A-Za-z]{38}$/);
      expect(isKey(made)).toBe(true);
    }
    expect(new Set(keys).size).toBe(200);
    expect(hashKey(keys[0] as string)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is known to be invalid if one character is mistyped', () => {
    const made = createKey();
    for (let i = 0; i < made.length; i++) {
      const other = made[i] === 'x' ? 'y' : 'x';
      expect(isKey(made.slice(0, i) + other + made.slice(i + 1)), `at ${i}`).toBe(false);
    }
    for (const bad of ['', 'slk_', made.slice(1), `${made}0`, made.toUpperCase()])
      expect(isKey(bad)).toBe(false);
  });
});
