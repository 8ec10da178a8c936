import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursors, cursorScope } from '../../src/read/keyset.ts';

const secret = (id: string) => ({ id, secret: Buffer.from(id.repeat(8)) });

describe('a cursor', () => {
  const cursors = createCursors(() => [secret('new1'), secret('old1')]);
  const scope = cursorScope('listThings', { platform: 'x', sort: 'followers' });

  it('decodes to the position that it was made of', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 }),
        (position) => {
          expect(cursors.decode(scope, cursors.encode(scope, position))).toEqual(position);
        },
      ),
    );
  });

  it('is refused if any bit was changed', () => {
    const bytes = Buffer.from(cursors.encode(scope, ['5', '77']), 'base64url');
    for (let i = 0; i < bytes.length * 8; i++) {
      const bad = Buffer.from(bytes);
      bad[i >> 3] = (bad[i >> 3] as number) ^ (1 << (i & 7));
      expect(() => cursors.decode(scope, bad.toString('base64url')), `bit ${i}`).toThrow(
        /does not belong to this list/,
      );
    }
  });

  it('is valid while its secret lives, even if that signs no more', () => {
    const before = createCursors(() => [secret('old1')]);
    expect(cursors.decode(scope, before.encode(scope, [1]))).toEqual([1]);
    const after = createCursors(() => [secret('new2')]);
    expect(() => after.decode(scope, before.encode(scope, [1]))).toThrow();
  });

  it('is bound to its list and filters, in any order', () => {
    expect(cursorScope('listThings', { sort: 'followers', platform: 'x', q: undefined })).toBe(scope);
    expect(cursorScope('listThings', { platform: 'x' })).not.toBe(scope);
    expect(cursorScope('listOthers', { platform: 'x', sort: 'followers' })).not.toBe(scope);
  });

  it('reveals nothing of the position, and is the same for the same position', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), (text) => {
        const cursor = cursors.encode(scope, [text, 1]);
        expect(Buffer.from(cursor, 'base64url').includes(Buffer.from(text))).toBe(false);
        expect(cursors.encode(scope, [text, 1])).toBe(cursor);
      }),
    );
  });

  it('with a platform’s cursor of a kilobyte fits the parameter', () => {
    expect(cursors.encode(scope, ['c'.repeat(1_200), 'a session']).length).toBeLessThanOrEqual(2_048);
  });

  it('is refused by other lists', () => {
    const other = cursorScope('listOthers', {});
    expect(() => cursors.decode(other, cursors.encode(scope, [1]))).toThrow(/does not belong to this list/);
  });
});
