/** A verdict that names no account may be false so often. */
const TOLERATED = 1e-6;

/** What an answer still weighs after each further one: some 300 of them count. */
const FADING = 0.997;

/** Answers about accounts that exist. */
interface Tally {
  readonly false: number;
  readonly true: number;
}

/** What is assumed of a platform that was not read yet: a verdict takes more answers at first. */
const FIRST: Tally = { false: 1, true: 4 };

const added = (tally: Tally, more: Tally): Tally => ({
  false: tally.false * FADING + more.false,
  true: tally.true * FADING + more.true,
});

/** Answers that have to agree: if a share `p` of them is false, `p` to this power of the verdicts is. */
const neededAt = (tally: Tally): number =>
  Math.ceil(Math.log(TOLERATED) / Math.log(tally.false / (tally.false + tally.true)));

/**
 * How often a platform says something else of accounts that exist, as mixed-up caches do. Readings of accounts that an
 * answer names are the controls of those that none does.
 */
export class FalseAnswers {
  #all = FIRST;
  /** Of surfaces whose verdicts were overturned: not all of them are asked of each account. */
  readonly #overturned = new Map<string, Tally>();

  /** An answer that names the account showed it. */
  addTrue(): void {
    this.#all = added(this.#all, { false: 0, true: 1 });
  }

  /**
   * So many answers agreed with a verdict, until another one said something else of the account.
   * @param surface what gave the verdict; null if the other answer names no account either.
   */
  addFalse(answers: number, surface: string | null): void {
    this.#all = added(this.#all, { false: answers, true: 1 });
    if (surface === null) return;
    // The first of the answers is the reason to ask for more: it says nothing of their share.
    const more = { false: answers - 1, true: 1 };
    this.#overturned.set(surface, added(this.#overturned.get(surface) ?? { false: 0, true: 0 }, more));
  }

  /** Answers that have to agree with a verdict of a surface. */
  needed(surface: string): number {
    const own = this.#overturned.get(surface);
    return Math.max(neededAt(this.#all), own === undefined ? 0 : neededAt(own));
  }
}
