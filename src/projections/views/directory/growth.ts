/** Pure figures of the directory's fold. */

const DAY_MS = 86_400_000;

export const dayOf = (iso: string): number => Math.floor(Date.parse(iso) / DAY_MS);

const KEEP_DAYS = 30;
/** A reading that is older than this is no measure of what happened in the last days. */
const MAX_DAYS = 60;

export interface Growth {
  readonly trail: string;
  readonly growth_7d: number | null;
  readonly growth_30d: number | null;
}

/**
 * Adds a reading to a trail and tells the growth up to it: against the newest reading at least 7 or 30 days older,
 * null where there is none (or none within 60 days). One point a day is kept, the day's first; points older than 30
 * days go but for the newest of them.
 */
export const grow = (text: string, at: string, followers: number | null): Growth => {
  if (followers === null) return { trail: text, growth_7d: null, growth_30d: null };
  const day = dayOf(at);
  const figures: { growth_7d: number | null; growth_30d: number | null } = {
    growth_7d: null,
    growth_30d: null,
  };
  let newest = -1;
  let kept = 0;
  // Newest first, read as it lies: a list made of every trail would cost more than all the rest of the fold.
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf(',', end - 1) + 1;
    const colon = text.indexOf(':', start);
    const then = Number(text.slice(start, colon));
    const age = day - then;
    newest = Math.max(newest, then);
    if (age >= 7 && age <= MAX_DAYS) {
      const before = Number(text.slice(colon + 1, end));
      figures.growth_7d ??= followers - before;
      if (age >= 30) figures.growth_30d = followers - before;
    }
    kept = start;
    if (age >= KEEP_DAYS) break;
    end = start - 1;
  }
  if (newest >= day) return { trail: text, ...figures };
  const rest = text.slice(kept);
  return { trail: rest === '' ? `${day}:${followers}` : `${rest},${day}:${followers}`, ...figures };
};

/** Whether followers moved between two readings by a fifth and by a thousand: more than accounts do by themselves. */
export const hasJumped = (before: number | null, after: number | null): boolean =>
  before !== null && after !== null && Math.abs(after - before) >= Math.max(1_000, before / 5);
