import { DAY } from './account.ts';
import { between } from './draws.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';

/** Restrictions that a platform does not announce. */
export const BAN_KINDS = ['search', 'suggestion', 'ghost', 'replies'] as const;
export type BanKind = (typeof BAN_KINDS)[number];

export interface Ban {
  /** `none` is a similar fall of engagement without a ban. */
  readonly kind: BanKind | 'none';
  readonly from: number;
  readonly to: number;
  /** Share of engagement that is lost from `from` to `to`. */
  readonly fall: number;
}

export interface Bans {
  /** The active ban at a time, or a fall of engagement without one; null if neither. */
  at(key: number, at: number): Ban | null;
}

/** Bans come and go: half of the time an account that is ever banned is. */
export const createBans = ({ bans: law }: Parameters): Bans => {
  const limits: readonly (readonly [Ban['kind'], number])[] = [
    ...BAN_KINDS.map((kind) => [kind, law[kind]] as const),
    ['none', BAN_KINDS.reduce((sum, kind) => sum + law[kind], 0) * law.alike],
  ];
  return {
    at: (key, at) => {
      let draw = unit(key, 160);
      for (const [kind, share] of limits) {
        if (draw < share * 2) {
          const cycle = between(120, 800, unit(key, 161)) * DAY;
          const phase = unit(key, 162) * cycle;
          const turn = Math.floor((at + phase) / cycle);
          const from = turn * cycle - phase;
          if (at >= from + cycle / 2) return null;
          const fall = between(law.leastFall, law.mostFall, unit(mix(key, 163), turn));
          return { kind, from, to: from + cycle / 2, fall };
        }
        draw -= share * 2;
      }
      return null;
    },
  };
};
