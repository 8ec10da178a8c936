/** How many there are of each, by name. */
export type Counts = Readonly<Record<string, number>>;

/** Adds counts name by name: in any order, with the same result. */
export const addCounts = (a: Counts, b: Counts): Counts => {
  const sum: Record<string, number> = { ...a };
  for (const [name, n] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + n;
  return sum;
};
