import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXAMPLE_POST, livePostSchema } from '../../contract/schemas/scrape.ts';
import {
  cutUpstreamPage,
  livePostOf,
  nothingListed,
  openUpstreamList,
  xKey,
  xListEndpoint,
} from './live-answers.ts';

const NONE: ReadonlySet<string> = new Set();

const HIDDEN =
  'X shows no posts, and no session of the operator may ask at present whether the account is private.';

export default endpoint({
  ...xListEndpoint,
  operation: 'scrapeXTweets',
  path: '/scrape/x/tweets',
  summary: 'Read an account’s posts on X',
  description:
    'Reads a page of an account’s own timeline from X, newest first, with reposts and replies; a pinned post comes first. Requires a session of the operator. Each page is a live call. `meta.account` describes the account; a private, suspended or absent account has no posts to show.',
  data: z.array(livePostSchema),
  example: { query: { handle: 'nasa' }, data: [EXAMPLE_POST] },
  handler: async (request) => {
    const { query, services, after, limit } = request;
    const key = await xKey(services, query.handle, 'query.handle');
    // X sends a pinned post beside those that are asked for.
    const list = await openUpstreamList(request, key, Math.max(1, limit - 1));
    if ('nothing' in list) return list.nothing;
    const { account, at } = list;
    const page = await services.live.readPosts('x', at, list.count, request.liveCall);
    const { reading, observedAtMs, session } = page;
    if (reading.status === 'empty') {
      if (!list.showsPrivacy) throw new ServiceError('platform_rate_limited', HIDDEN, { retryAfterS: 60 });
      return nothingListed(observedAtMs, account);
    }
    if (reading.status !== 'present')
      return nothingListed(observedAtMs, { ...account, status: reading.status });
    const author = { id: account.id, handle: account.handle ?? reading.profile.handle };
    const pinned = after === null ? '' : String(after[5]);
    const posts = (reading.posts ?? []).filter(({ id }) => at.cursor === null || id !== pinned);
    const cursor = reading.postsCursor ?? null;
    const { shown, next } = cutUpstreamPage(list, posts, limit, { cursor, session });
    return {
      data: shown.map((post) => livePostOf(post, author, observedAtMs, reading.pinned ?? NONE)),
      source: 'live',
      readAtMs: Math.min(observedAtMs, list.accountReadAtMs),
      // A pinned post is not listed again by its time.
      next: next === null ? null : [...next, [...(reading.pinned ?? [])][0] ?? pinned],
      account,
    };
  },
});
