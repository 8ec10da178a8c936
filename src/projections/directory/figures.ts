/** Pure figures of the directory's fold. */

const DAY_MS = 86_400_000;

export const dayOf = (iso: string): number => Math.floor(Date.parse(iso) / DAY_MS);

/** One form for the same page: no scheme, no `www.`, no trailing slash, no query. */
export const canonicalLink = (link: string): string | null => {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const host = url.hostname.replace(/^www\./, '');
  const path = url.pathname.replace(/\/+$/, '');
  return host === '' ? null : `${host}${path}`;
};

/** A day's followers, oldest first. */
type Trail = readonly (readonly [day: number, followers: number])[];

const parseTrail = (text: string): Trail =>
  text === ''
    ? []
    : text.split(',').map((point) => {
        const colon = point.indexOf(':');
        return [Number(point.slice(0, colon)), Number(point.slice(colon + 1))] as const;
      });

const KEEP_DAYS = 30;
/** A reading that is older than this is no measure of what happened in the last days. */
const MOST_DAYS = 60;

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
  const points = parseTrail(text);
  const since = (days: number): number | null => {
    for (let i = points.length - 1; i >= 0; i--) {
      const [then, before] = points[i] as readonly [number, number];
      if (day - then > MOST_DAYS) return null;
      if (day - then >= days) return followers - before;
    }
    return null;
  };
  const figures = { growth_7d: since(7), growth_30d: since(30) };
  if (points.length > 0 && (points.at(-1)?.[0] ?? 0) >= day) return { trail: text, ...figures };
  let first = 0;
  while (first + 1 < points.length && day - (points[first + 1]?.[0] ?? day) >= KEEP_DAYS) first++;
  const kept = [...points.slice(first), [day, followers] as const];
  return { trail: kept.map(([d, f]) => `${d}:${f}`).join(','), ...figures };
};

/** Whether followers moved between two readings by a fifth and by a thousand: more than accounts do by themselves. */
export const hasJumped = (before: number | null, after: number | null): boolean =>
  before !== null && after !== null && Math.abs(after - before) >= Math.max(1_000, before / 5);
