import { setFlagsFromString } from 'node:v8';

/** By how many percent the heap may exceed what survived the last collection before the next one; V8 allows up to 300. */
const GROWTH_PERCENT = 50;

/**
 * Lets the heaps of this process, those of its threads included, grow less between collections: V8 sizes them by the
 * memory of the machine, and keeps garbage for as long as that allows. There is no limit that a heap could run into.
 */
export const limitHeapGrowth = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
};
