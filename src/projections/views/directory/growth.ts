/** Growth functions of the directory; pure. */

const DAY_MS = 86_400_000;

export const dayOf = (iso: string): number => Math.floor(Date.parse(iso) / DAY_MS);

const KEEP_DAYS = 30;
/** Readings older than this are no baseline for growth. */
const MAX_DAYS = 60;

export interface Growth {
  readonly growth_samples: string;
  readonly growth_7d: number | null;
  readonly growth_30d: number | null;
}

/**
 * Adds a reading to the samples and computes growth against the newest sample at least 7 or 30 days older; null if
 * there is none within 60 days. Keeps the first sample of a day; of those older than 30 days only the newest.
 */
export const grow = (text: string, at: string, followers: number | null): Growth => {
  if (followers === null) return { growth_samples: text, growth_7d: null, growth_30d: null };
  const day = dayOf(at);
  const figures: { growth_7d: number | null; growth_30d: number | null } = {
    growth_7d: null,
    growth_30d: null,
  };
  let newest = -1;
  let kept = 0;
  // Parses newest first, without splitting: arrays for every row's samples would dominate the fold.
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
  if (newest >= day) return { growth_samples: text, ...figures };
  const rest = text.slice(kept);
  // Joined first: what is added to a long text is a part of its own in memory until the text is read.
  const sample = `${rest === '' ? '' : ','}${day}:${followers}`;
  return { growth_samples: rest + sample, ...figures };
};

/** Whether followers changed by at least a fifth and by a thousand: more than organic growth explains. */
export const hasJumped = (before: number | null, after: number | null): boolean =>
  before !== null && after !== null && Math.abs(after - before) >= Math.max(1_000, before / 5);
