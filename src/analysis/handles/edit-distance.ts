const codesOf = (text: string): readonly number[] =>
  [...text].map((character) => character.codePointAt(0) ?? 0);

/** Lines of the table of distances, reused: a request compares thousands of names. */
let table = new Int32Array(1_024);

/**
 * Edits that lead from one name to the other: characters inserted, deleted, substituted, and neighbours transposed, which may be
 * edited again. This is the unrestricted Damerau–Levenshtein distance, a metric (Lowrance and Wagner, 1975), and not
 * optimal string alignment, which is none.
 */
export const editDistance = (from: string, to: string): number => {
  const [a, b] = [codesOf(from), codesOf(to)];
  const width = b.length + 2;
  const most = a.length + b.length;
  if (table.length < (a.length + 2) * width) table = new Int32Array(2 * (a.length + 2) * width);
  const at = (i: number, j: number) => (i + 1) * width + j + 1;
  table[at(-1, -1)] = most;
  for (let i = 0; i <= a.length; i++) {
    table[at(i, -1)] = most;
    table[at(i, 0)] = i;
  }
  for (let j = 0; j <= b.length; j++) {
    table[at(-1, j)] = most;
    table[at(0, j)] = j;
  }
  const lastRowOf = new Map<number, number>();
  for (let i = 1; i <= a.length; i++) {
    let lastEqual = 0;
    const code = a[i - 1] as number;
    for (let j = 1; j <= b.length; j++) {
      const row = lastRowOf.get(b[j - 1] as number) ?? 0;
      const column = lastEqual;
      const isEqual = code === b[j - 1];
      if (isEqual) lastEqual = j;
      table[at(i, j)] = Math.min(
        (table[at(i - 1, j - 1)] as number) + (isEqual ? 0 : 1),
        (table[at(i, j - 1)] as number) + 1,
        (table[at(i - 1, j)] as number) + 1,
        (table[at(row - 1, column - 1)] as number) + (i - row - 1) + 1 + (j - column - 1),
      );
    }
    lastRowOf.set(code, i);
  }
  return table[at(a.length, b.length)] as number;
};
