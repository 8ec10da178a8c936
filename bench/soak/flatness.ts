import { median } from '../support/rounds.ts';

/** A measurement of something that began and ended, as a process: those of different ones are never compared. */
export interface Measured {
  readonly atS: number;
  readonly value: number;
  /** Which process, where a name has several one after the other. */
  readonly instance: string;
}

/** What still counts as flat: growth of an instance, as a share of the level or in its unit, the larger of both. */
export interface Bound {
  readonly share: number;
  readonly least: number;
}

export interface Flatness {
  /** Median of all values after the warm-up; NaN without any. */
  readonly level: number;
  /** Growth in the time that an instance is measured, `overS`, at the median of all slopes within an instance. */
  readonly growth: number;
  /** Median of the seconds for which instances are measured. */
  readonly overS: number;
  readonly allowed: number;
  readonly flat: boolean;
  /** Values that were compared. */
  readonly values: number;
}

/** Values of each instance but those of its first `warmS` seconds. */
const warmed = (values: readonly Measured[], warmS: number): readonly (readonly Measured[])[] =>
  [...Map.groupBy(values, ({ instance }) => instance).values()]
    .map((ones) => {
      const bornS = Math.min(...ones.map(({ atS }) => atS));
      return ones.filter(({ atS }) => atS - bornS >= warmS);
    })
    .filter((ones) => ones.length > 1);

/** Slopes between all pairs of measurements that are far enough apart to tell a trend from the work of a moment. */
const slopes = (ones: readonly Measured[]): readonly number[] => {
  const [first] = ones;
  const last = ones.at(-1);
  if (first === undefined || last === undefined) return [];
  const apartS = (last.atS - first.atS) / 2;
  return ones.flatMap((a, i) =>
    ones
      .slice(i + 1)
      .filter((b) => b.atS > a.atS && b.atS - a.atS >= apartS)
      .map((b) => (b.value - a.value) / (b.atS - a.atS)),
  );
};

/**
 * Whether something grows: the median of slopes (Theil and Sen), which single peaks do not move, within instances, since a
 * process that was started again begins small.
 * @param warmS seconds of each instance that are not compared.
 */
export const flatnessOf = (
  values: readonly Measured[],
  { warmS, bound }: { readonly warmS: number; readonly bound: Bound },
): Flatness => {
  const instances = warmed(values, warmS);
  const all = instances.flat();
  const level = median(all.map(({ value }) => value));
  const overS = median(instances.map((ones) => (ones.at(-1)?.atS ?? 0) - (ones[0]?.atS ?? 0)));
  const growth = median(instances.flatMap(slopes)) * overS;
  const allowed = Math.max(bound.least, bound.share * level);
  return { level, growth, overS, allowed, flat: growth <= allowed, values: all.length };
};
