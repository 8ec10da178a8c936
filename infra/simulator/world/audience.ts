import { between, normal } from './draws.ts';
import type { FollowKind } from './follow-list.ts';
import { mix, unit } from './hash.ts';
import { CAMPAIGNS, SLOTS, SURGES } from './outsiders.ts';
import type { Parameters } from './parameters.ts';

/** Whom an account is followed by. */
export interface Audience {
  /** Shares of all followers. */
  readonly suspicious: number;
  readonly inactive: number;
  /** Share of all followers that were bought in blocks; part of the suspicious ones. */
  readonly bought: number;
  /** Whether it had surges of genuine new followers. */
  readonly surging: boolean;
}

/** What is at a rank of a list, 0 being the oldest. */
export interface Seat {
  readonly kind: FollowKind;
  /** Campaign or surge, and the slot in it; null for one that came alone. */
  readonly group: { readonly bought: boolean; readonly number: number; readonly slot: number } | null;
}

/** Ranks are divided into segments; each has at most one block. */
const segmentOf = (size: number): number => Math.min(4200, Math.max(120, Math.floor(size / 12)));
const LEAST_BLOCK = 8;

export const createAudiences = ({ audience }: Parameters) => {
  const traitsOf = (key: number): Audience => {
    const suspicious = Math.min(
      0.9,
      Math.max(0.005, audience.suspicious * Math.exp(audience.suspiciousSigma * normal(key, 260))),
    );
    const inactive = Math.min(
      0.97 - suspicious,
      Math.max(0.02, audience.inactive * Math.exp(0.3 * normal(key, 261))),
    );
    return {
      suspicious,
      inactive,
      bought: suspicious * between(audience.bought, 1, unit(key, 262)),
      surging: unit(key, 263) < audience.surges,
    };
  };

  /** The block of a segment: its first offset and its length; null if it has none. */
  const blockOf = (key: number, segment: number, length: number, share: number) => {
    // Half of the segments have a block, or all if half would not do.
    const presence = share > 0.3 ? 1 : 0.5;
    if (unit(key, segment * 4) >= presence) return null;
    const spread = share > 0.3 ? Math.min(0.5, 1 / share - 1) : 0.5;
    const size = Math.min(
      SLOTS,
      Math.round((share / presence) * length * between(1 - spread, 1 + spread, unit(key, segment * 4 + 1))),
    );
    return { from: Math.floor(unit(key, segment * 4 + 2) * (length - size)), size };
  };

  return {
    traitsOf,
    /**
     * A seat as it is after bots came to seats of others later.
     * @param back share of all seats that they came to.
     */
    laterSeatAt: (
      key: number,
      { suspicious, inactive }: Audience,
      rank: number,
      seat: Seat,
      back: number,
    ): Seat => {
      const others = Math.max(0.03, 1 - suspicious - inactive);
      const isBot = seat.kind === 'genuine' && unit(mix(key, 277), rank) < back / others;
      return isBot ? { kind: 'suspicious', group: null } : seat;
    },
    /** @param size followers at the anchor of growth. */
    seatAt: (key: number, size: number, traits: Audience, rank: number): Seat => {
      const length = segmentOf(size);
      const segment = Math.floor(rank / length);
      const offset = rank - segment * length;
      const inBlocks = traits.bought * length * 2 >= LEAST_BLOCK && size >= 60 ? traits.bought : 0;
      if (inBlocks > 0) {
        const block = blockOf(mix(key, 264), segment, length, inBlocks);
        if (block && offset >= block.from && offset < block.from + block.size) {
          const own = mix(mix(key, 265), segment);
          return {
            kind: 'suspicious',
            group: { bought: true, number: own % CAMPAIGNS, slot: (mix(own, 1) + offset) % SLOTS },
          };
        }
      }
      if (traits.surging) {
        const block = blockOf(mix(key, 266), segment, length, 0.15);
        if (block && offset >= block.from && offset < block.from + block.size) {
          const own = mix(mix(key, 267), segment);
          return {
            kind: 'genuine',
            group: { bought: false, number: own % SURGES, slot: (mix(own, 1) + offset) % SLOTS },
          };
        }
      }
      const draw = unit(mix(key, 268), rank) * (1 - inBlocks);
      const alone = traits.suspicious - inBlocks;
      return {
        kind: draw < alone ? 'suspicious' : draw < alone + traits.inactive ? 'inactive' : 'genuine',
        group: null,
      };
    },
  };
};
