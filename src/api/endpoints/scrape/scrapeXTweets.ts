import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import { endpoint, type ListedAccount } from '../../contract/endpoint.ts';
import { singleCall } from '../../contract/live-call.ts';
import {
  addressOf,
  EXAMPLE_POST,
  listedAccountOf,
  livePostOf,
  livePostSchema,
  xHandle,
  xHandleKey,
} from '../../contract/schemas/scrape.ts';

/** As many as X sends at once. */
const MAX_LIMIT = 40;

/** Where the timeline resumes. Posts of X's page that were returned already are skipped, pinned ones not repeated. */
type Position = readonly [account: string, cursor: string, session: string, skip: number, pinned: string];

const HIDDEN =
  'X shows no posts, and no session of the operator may ask at present whether the account is private.';

export default endpoint({
  operation: 'scrapeXTweets',
  group: 'scrape',
  method: 'GET',
  path: '/scrape/x/tweets',
  scope: 'scrape:live',
  meter: 'live',
  list: true,
  maxLimit: MAX_LIMIT,
  listsOfAccount: true,
  sealsCursor: true,
  summary: 'Read an account’s posts on X',
  description:
    'Reads a page of an account’s own timeline from X, newest first, with reposts and replies; a pinned post comes first. Requires a session of the operator. Each page is a live call. `meta.account` describes the account: one that is private, suspended or absent has no posts to show.',
  params: z.strictObject({}),
  query: z.strictObject({ handle: xHandle }),
  data: z.array(livePostSchema),
  errors: [],
  example: { query: { handle: 'nasa' }, data: [EXAMPLE_POST] },
  handler: async (request) => {
    const { query, services, after, limit } = request;
    const call = singleCall(request);
    const key = xHandleKey(services, query.handle, 'query.handle');
    const resumed = after as Position | null;
    let account: ListedAccount;
    let showsPrivacy = true;
    if (resumed === null) {
      const live = await services.live.read('x', addressOf(key), call);
      account = listedAccountOf(key, live.reading);
      showsPrivacy = live.reading.status === 'present' && live.reading.measured.includes('private');
      if (account.status !== 'active' || account.id === null)
        return { data: [], source: 'live', readAtMs: live.observedAtMs, next: null, account };
    } else account = JSON.parse(resumed[0]) as ListedAccount;
    const [, cursor = '', session = '', skip = 0, pinned = ''] = resumed ?? [];
    const at = { owner: account.id as string, cursor: cursor || null, session: session || null };
    const page = await services.live.readPosts('x', at, limit, call);
    const { reading, observedAtMs } = page;
    if (reading.status === 'empty') {
      if (!showsPrivacy) throw new ServiceError('platform_rate_limited', HIDDEN, { retryAfterS: 60 });
      return { data: [], source: 'live', readAtMs: observedAtMs, next: null, account };
    }
    if (reading.status !== 'present') {
      const status = reading.status;
      return {
        data: [],
        source: 'live',
        readAtMs: observedAtMs,
        next: null,
        account: { ...account, status },
      };
    }
    const author = { id: account.id, handle: account.handle ?? reading.profile.handle };
    const isLater = cursor !== '';
    const posts = (reading.posts ?? []).filter(({ id }) => !isLater || id !== pinned);
    const shown = posts.slice(skip, skip + limit);
    const isWhole = skip + limit >= posts.length;
    const upstream = isWhole ? (reading.postsCursor ?? null) : cursor;
    const next: Position | null =
      upstream === null
        ? null
        : [
            JSON.stringify(account),
            upstream,
            page.session ?? '',
            isWhole ? 0 : skip + limit,
            [...(reading.pinned ?? [])][0] ?? pinned,
          ];
    return {
      data: shown.map((post) => livePostOf(post, author, observedAtMs)),
      source: 'live',
      readAtMs: observedAtMs,
      next,
      account,
    };
  },
});
