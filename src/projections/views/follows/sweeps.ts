/** A sweep that has not ended: where it started, and how many parts of it are known. */
export interface OpenSweep {
  readonly id: string;
  /** Time of its first part, in seconds of the view. */
  readonly startS: number;
  readonly parts: number;
}

/** Sweeps remembered for a list. A live read of a few pages never ends its sweep; the oldest are forgotten. */
const MAX_OPEN = 8;

/** A part of a sweep as an event has it. */
export interface SweepPart {
  readonly id: string;
  readonly page: number;
  readonly atS: number;
  readonly done: boolean;
  readonly capped: boolean;
}

/**
 * Sweeps after another part.
 * @returns `doneSinceS`: start of the sweep if this part ends it and none is missing; else null. Only such a sweep
 * proves that a member is gone.
 */
export const withPart = (
  open: readonly OpenSweep[],
  { id, page, atS, done, capped }: SweepPart,
): { readonly open: readonly OpenSweep[]; readonly doneSinceS: number | null } => {
  const known = open.find((sweep) => sweep.id === id);
  const others = open.filter((sweep) => sweep.id !== id);
  // A part that was appended twice.
  if (known !== undefined && page < known.parts) return { open, doneSinceS: null };
  const expected = known?.parts ?? 0;
  if (page !== expected) return { open: others, doneSinceS: null };
  const startS = known?.startS ?? atS;
  if (done) return { open: others, doneSinceS: startS };
  if (capped) return { open: others, doneSinceS: null };
  return { open: [...others, { id, startS, parts: page + 1 }].slice(-MAX_OPEN), doneSinceS: null };
};
