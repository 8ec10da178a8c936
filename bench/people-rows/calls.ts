import type { OursQuestion } from '../api/ours.ts';
import { startChild } from '../support/child.ts';
import type { LoadAnswer, LoadQuestion } from '../support/load.ts';
import { interleave, median } from '../support/rounds.ts';

const POOL = 10;
const ROUNDS = 5;

export interface CallTimes {
  readonly connections: number;
  /** 95th percentiles in ms, medians of rounds. */
  readonly lookup: number;
  readonly entry: number;
}

/** Look-ups of persons beside directory entries, of the same accounts of X, as callers of the API have them. */
export const measureCalls = async (
  databaseUrl: string,
  key: string,
  names: readonly string[],
): Promise<readonly CallTimes[]> => {
  const api = startChild(new URL('../api/ours.ts', import.meta.url));
  const load = startChild(new URL('../support/load.ts', import.meta.url));
  try {
    const url = await api.ask<string>({ databaseUrl, connections: POOL } satisfies OursQuestion);
    const times: CallTimes[] = [];
    for (const connections of [1, 16]) {
      const ask = (path: string, ms: number) => () =>
        load.ask<LoadAnswer>({ url, connections, ms, path, names, keys: [key] } satisfies LoadQuestion);
      const [lookup, entry] = ['/v2/people/lookup?platform=x&handle={}', '/v2/directory/x/{}'] as const;
      // Compilers and caches settle before anything is measured.
      await ask(lookup, 2_000)();
      await ask(entry, 2_000)();
      const found = await interleave(
        ROUNDS,
        { lookup: ask(lookup, 2_000), entry: ask(entry, 2_000) },
        ({ p95Ms }) => `p95 ${p95Ms.toFixed(2)} ms`,
      );
      const p95 = (answers: readonly LoadAnswer[]) => median(answers.map(({ p95Ms }) => p95Ms));
      times.push({ connections, lookup: p95(found.lookup), entry: p95(found.entry) });
    }
    return times;
  } finally {
    await load.stop();
    await api.stop();
  }
};
