import { setFlagsFromString } from 'node:v8';

/**
 * Settings of V8 for the heaps of this process, those of its threads included. `docs/benchmarks.md` has what each is worth.
 *
 * A heap exceeds what survived the last collection by half of it at most. V8 sizes heaps by the memory of the machine, and
 * keeps garbage for as long as that allows. There is no limit that a heap could run into.
 *
 * V8 allocates no objects in the old generation because earlier ones of the same code survived. In one crawler of four it took
 * objects of requests for such, since dozens are always under way: each then kept the text of its page alive, so that every
 * collection was one of the whole heap, for as long as the process ran.
 */
export const tuneHeap = (): void => {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-allocation-site-pretenuring');
};
