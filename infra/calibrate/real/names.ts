import { readName, relateHandles, relateNames } from '../../../src/write/people/names.ts';
import { exactInterval } from '../coverage.ts';
import { realRows } from './rows.ts';

/** A share with its exact 95 % interval. */
export interface Share {
  readonly what: string;
  readonly hits: number;
  readonly n: number;
  readonly low: number;
  readonly high: number;
}

const shareOf = (what: string, found: readonly boolean[]): Share => {
  const hits = found.filter(Boolean).length;
  const [low, high] = exactInterval(hits, found.length, 0.95);
  return { what, hits, n: found.length, low, high };
};

const isAlike = (a: string, b: string): boolean => relateHandles(a, b) !== 'unlike';

const AGREEING: ReadonlySet<string> = new Set(['equal', 'alike', 'short']);
const isAgreeing = (a: string, b: string): boolean => AGREEING.has(relateNames(readName(a), readName(b)));

/** How many of the pairs of one person's handles and names agree, and of those of two. */
export const measureNames = (): readonly Share[] => {
  const handles = realRows('same-person-handles.tsv');
  const names = realRows('same-person-names.tsv') as readonly (readonly [string, string])[];
  const pairs = (one: readonly string[], other: readonly string[]): readonly (readonly [string, string])[] =>
    one.flatMap((a, i) => other.flatMap((b, j) => (i < j && a !== '' && b !== '' ? [[a, b] as const] : [])));
  const others = handles.flatMap((one) =>
    handles.flatMap((other) => (one === other ? [] : pairs(one, other))),
  );
  return [
    shareOf(
      'handles of one person',
      handles.flatMap((one) => pairs(one, one)).map(([a, b]) => isAlike(a, b)),
    ),
    shareOf(
      'handles of two persons',
      others.map(([a, b]) => isAlike(a, b)),
    ),
    shareOf(
      'names of one person',
      names.map(([official, used]) => isAgreeing(official, used)),
    ),
    shareOf(
      'names of two persons',
      names.flatMap(([official]) =>
        names.flatMap(([other, used]) => (other === official ? [] : [isAgreeing(official, used)])),
      ),
    ),
  ];
};
