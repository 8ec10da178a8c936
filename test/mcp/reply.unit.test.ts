import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replyOf } from '../../src/mcp/reply.ts';

const meta = { source: 'catalog', next_cursor: 'c' };
const partsOf = (body: object, skip = 0) => {
  const { content } = replyOf('op', { status: 200, cost: 1, body }, skip);
  const texts = content.map((part) => (part as { text: string }).text);
  const [own = ''] = (texts[0] ?? '').split('\n');
  return {
    own: JSON.parse(own),
    data: JSON.parse(texts[1] ?? '').untrusted,
    bytes: Buffer.byteLength(texts.join('')),
  };
};

const long = fc.string({ unit: 'grapheme', maxLength: 12_000 });
const tree = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    long,
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 6 }),
    fc.dictionary(fc.string({ maxLength: 8 }), tie('tree'), { maxKeys: 6 }),
  ),
})).tree;

it('a reply has at most 50 kB, whatever was answered', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(tree, { maxLength: 12 }), fc.dictionary(fc.string(), tree)), (data) => {
      expect(partsOf({ data, meta }).bytes).toBeLessThanOrEqual(50_000);
    }),
    { numRuns: 150 },
  );
});

it('replies to a page have each of its items once, and then lead to the next page', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1_000, maxLength: 9_000 }), { maxLength: 30 }),
      (items) => {
        const data = items.map((text, i) => ({ i, text }));
        const seen: number[] = [];
        for (let skip = 0, calls = 0; calls <= items.length; calls++) {
          const { own, data: shown } = partsOf({ data, meta }, skip);
          seen.push(...shown.map(({ i }: { i: number }) => i));
          if (own.next?.skip === undefined) {
            expect(own.next).toEqual({ cursor: 'c' });
            break;
          }
          skip = own.next.skip;
        }
        expect(seen).toEqual(items.map((_, i) => i));
      },
    ),
    { numRuns: 100 },
  );
});

it('an answer that fits is as it was', () => {
  const data = { rules: [{ rule: 'a', met: true }], note: null };
  expect(partsOf({ data, meta })).toMatchObject({
    data,
    own: { operation: 'op', cost: 1, source: 'catalog' },
  });
  expect(partsOf({ data, meta }).own.cut).toBeUndefined();
});
