import type { AccountRow } from './tables.ts';

/** A row whose change may change persons; `after` is undefined if another row has taken its position. */
export interface Touched {
  readonly before: AccountRow | undefined;
  readonly after: AccountRow | undefined;
}

export const accountsIn = (touched: readonly Touched[]): ReadonlySet<string> =>
  new Set(touched.flatMap(({ before, after }) => [before?.account ?? [], after?.account ?? []].flat()));

export const targetsIn = (touched: readonly Touched[]): ReadonlySet<string> =>
  new Set(touched.flatMap(({ before, after }) => [...(before?.targets ?? []), ...(after?.targets ?? [])]));
