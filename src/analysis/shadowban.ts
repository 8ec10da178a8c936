/** Restrictions that a platform does not announce, each of which shows on a surface of its own. */
export const SHADOWBAN_PARTS = ['search', 'suggestion', 'ghost', 'reply_deboost'] as const;
export type ShadowbanPart = (typeof SHADOWBAN_PARTS)[number];

export type ShadowbanVerdict = 'clear' | 'limited' | 'unknown';

/** One look at a surface. */
export interface Look {
  readonly surface: 'search' | 'suggestions' | 'thread';
  /** Whether the account was looked for, or one that is known to be shown. */
  readonly of: 'account' | 'control';
  /**
   * Whether it was there: of replies in which part of the thread; null if the answer could not be read, or was not read
   * to its end.
   */
  readonly shown: 'shown' | 'hidden' | 'absent' | null;
  /** The reply that was looked for in the thread. */
  readonly post: string | null;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Reason if the result is unknown. */
  readonly reason: string | null;
}

/** Looks in which a search or a suggestion has to lack the account: one answer may be stale, or a part. */
export const MISSES = 3;
/** Replies, each in a thread of its own, that have to be missing or hidden: an author may hide a single one. */
export const REPLIES = 2;
/** Accounts of its kind that a search box has to suggest, and none that it lacks: its own misses are one observation. */
export const ALIKE = 3;
/** How long before or after a miss the control has to be shown. */
const CONTROL_MS = 60_000;

const isControlled = (looks: readonly Look[], missed: readonly Look[]): boolean => {
  const shown = looks.filter((look) => look.of === 'control' && look.shown === 'shown');
  return missed.every(({ atMs }) => shown.some((control) => Math.abs(control.atMs - atMs) <= CONTROL_MS));
};

const listed = (looks: readonly Look[], surface: 'search' | 'suggestions'): ShadowbanVerdict => {
  const own = looks.filter((look) => look.surface === surface);
  const account = own.filter(({ of }) => of === 'account');
  if (account.some(({ shown }) => shown === 'shown')) return 'clear';
  const missed = account.filter(({ shown }) => shown === 'absent');
  return missed.length >= MISSES && isControlled(own, missed) ? 'limited' : 'unknown';
};

/** Whether the search box suggests what is like the account. */
const suggestsAlike = (looks: readonly Look[]): boolean => {
  const controls = looks.filter(
    ({ surface, of, shown }) => surface === 'suggestions' && of === 'control' && shown !== null,
  );
  return controls.length >= ALIKE && controls.every(({ shown }) => shown === 'shown');
};

const distinctPosts = (looks: readonly Look[]): number => new Set(looks.map(({ post }) => post)).size;

/**
 * What a platform shows of an account to those who don't follow it.
 *
 * Each part is *clear* only if the account, or a reply of it, was seen there: an answer that is malformed or a part of
 * itself can't make it so. It is *limited* if it was missing in {@link MISSES} answers (of replies: in
 * {@link REPLIES} threads that were read to their end), and a control was shown on the same surface within a minute
 * of each. Else it is *unknown*. A search box ranks, and may leave out accounts of a size: there the controls are
 * {@link ALIKE} accounts that are no larger and have no better badge, and each has to be suggested.
 *
 * - `search`: whether a search for its posts finds any.
 * - `suggestion`: whether the search box suggests it for its own name.
 * - `ghost`: whether its replies are in the threads that they answer.
 * - `reply_deboost`: whether they are there before readers ask for more replies.
 *
 * Source: R. Merrill et al., shadowban.eu (2018), whose four tests these are; Le Merrer, Morgan and Trédan, *Setting the
 * record straighter on shadow banning* (INFOCOM 2021). Controls and repetition are ours.
 */
export const shadowbanVerdicts = (
  looks: readonly Look[],
): Readonly<Record<ShadowbanPart, ShadowbanVerdict>> => {
  const box = listed(looks, 'suggestions');
  const threads = looks.filter(({ surface }) => surface === 'thread');
  const replies = threads.filter(({ of }) => of === 'account');
  const of = (shown: Look['shown']) => replies.filter((look) => look.shown === shown);
  const [shown, hidden, absent] = [of('shown'), of('hidden'), of('absent')];
  const isShown = shown.length > 0;
  const isListed = isShown || hidden.length > 0;
  const isLimited = (missed: readonly Look[]) =>
    distinctPosts(missed) >= REPLIES && isControlled(threads, missed);
  return {
    search: listed(looks, 'search'),
    suggestion: box === 'limited' && !suggestsAlike(looks) ? 'unknown' : box,
    ghost: isListed ? 'clear' : isLimited(absent) ? 'limited' : 'unknown',
    reply_deboost: isShown ? 'clear' : absent.length === 0 && isLimited(hidden) ? 'limited' : 'unknown',
  };
};
