import type { Post } from '../../../write/accounts/post.ts';
import type { Http } from '../../http/port.ts';
import type { Address, PostsWindow, Reading } from '../adapter.ts';
import { failureOf, readStep, type Step, withWarnings } from './read-surfaces.ts';

/** Completeness of a page in order of time: from its oldest post on, no post is missing. */
export const inOrder = ({ posts, pinned, cursor }: TimelinePage) => {
  const oldest = posts.findLast(({ id }) => pinned?.has(id) !== true)?.at ?? null;
  const since = cursor === null ? { postsSince: null } : oldest === null ? {} : { postsSince: oldest };
  const apart = pinned === undefined ? {} : { pinned };
  return { postOrder: 'time' as const, ...since, postsCursor: cursor, ...apart };
};

/** Posts to ask for at once: a reading of one page asks for few, since most of them are known. */
export const pageSize = (window: PostsWindow | undefined, few: number, many: number): number =>
  window === undefined || window.pages === 1 ? few : many;

/**
 * Pages back from a reading until its posts reach the window's start, there are no more, or the window's pages are
 * used up. A page that fails ends it with a warning: what was read stays.
 * @param stepOf the request for a cursor; null if there is none.
 * @param emptyDetail detail of a page that shows nothing: after other pages, the end.
 */
export const pagedBack = async (
  http: Http,
  first: Reading,
  address: Address,
  window: PostsWindow,
  stepOf: (cursor: string) => Step | null | Promise<Step | null>,
  emptyDetail?: string,
): Promise<Reading> => {
  if (!isShown(first)) return first;
  let reading = first;
  const seen = new Set<string>();
  for (let page = 1; page < window.pages; page++) {
    const cursor = reading.postsCursor ?? null;
    // A cursor that comes again would never end.
    if (reading.posts === null || cursor === null || seen.has(cursor) || reaches(reading, window.since))
      break;
    seen.add(cursor);
    const step = await stepOf(cursor);
    if (step === null) break;
    const next = await readStep(http, step, address);
    if (next.status === 'unknown' && next.detail === emptyDetail)
      return { ...reading, postsSince: null, postsCursor: null };
    // Requests that no session may send at present are left to a later reading.
    if (next.status === 'unknown' && next.reason === 'session_limited') break;
    if (!isShown(next)) return withWarnings(reading, [failureOf(next)]);
    if (next.posts === null) break;
    reading = joined(reading, next);
  }
  return reading;
};

type Shown = Extract<Reading, { readonly profile: unknown }>;

const isShown = (reading: Reading): reading is Shown =>
  reading.status === 'present' || reading.status === 'private';

/** One page of posts, newest first except for pinned ones. */
interface TimelinePage {
  readonly posts: readonly Post[];
  /** IDs of posts that are listed out of order because their author pinned them. */
  readonly pinned?: ReadonlySet<string>;
  /** Cursor of the next page; null after the last one. */
  readonly cursor: string | null;
}

/** Whether the posts reach back to the start of the window. */
const reaches = ({ postsSince }: Shown, since: string | null): boolean =>
  postsSince === null || (since !== null && postsSince !== undefined && postsSince <= since);

/** The posts of both; a post of the first page is kept as it is. */
const joined = (first: Shown, next: Shown): Shown => {
  const known = new Set((first.posts ?? []).map(({ id }) => id));
  const older = (next.posts ?? []).filter(({ id }) => !known.has(id));
  const { postOrder, postsSince, postsCursor } = next;
  return {
    ...first,
    posts: [...(first.posts ?? []), ...older],
    ...(postOrder === undefined ? {} : { postOrder }),
    ...(postsSince === undefined ? {} : { postsSince }),
    ...(postsCursor === undefined ? {} : { postsCursor }),
    warnings: [...first.warnings, ...next.warnings],
  };
};
