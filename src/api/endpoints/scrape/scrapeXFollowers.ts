import { z } from 'zod';
import { newSweepId } from '../../../crawlers/live-read/reader.ts';
import { emptyProfile } from '../../../write/accounts/reading.ts';
import { endpoint, type ListedAccount } from '../../contract/endpoint.ts';
import { singleCall } from '../../contract/live-call.ts';
import { addressOf, listedAccountOf, xHandle, xHandleKey } from '../../contract/schemas/scrape.ts';

const MAX_LIMIT = 40;

const count = z.int().nonnegative().nullable();

const followerSchema = z
  .object({
    id: z.string(),
    handle: z.string().nullable().describe('null: X lists the account without a name, as it is suspended.'),
    display_name: z.string().nullable(),
    followers: count,
    following: count,
    posts: count,
    verified: z.boolean().nullable(),
    created_at: z.iso.datetime().nullable(),
    bio: z.string().nullable(),
    avatar_url: z.string().nullable(),
  })
  .meta({ id: 'LiveFollower' });

/** Where a list resumes, and what is known of it so far. */
type Position = readonly [
  account: string,
  cursor: string,
  session: string,
  skip: number,
  sweep: string,
  part: number,
  listed: number,
];

export default endpoint({
  operation: 'scrapeXFollowers',
  group: 'scrape',
  method: 'GET',
  path: '/scrape/x/followers',
  scope: 'scrape:live',
  meter: 'live',
  list: true,
  maxLimit: MAX_LIMIT,
  listsOfAccount: true,
  sealsCursor: true,
  summary: 'Read an account’s followers on X',
  description:
    'Reads a page of an account’s followers from X, newest followers first, and records it in the follower graph. Requires a session of the operator. Each page is a live call. X ends long lists early: `meta.account.capped` then is true on the last page.',
  params: z.strictObject({}),
  query: z.strictObject({ handle: xHandle }),
  data: z.array(followerSchema),
  errors: [],
  example: {
    query: { handle: 'nasa' },
    data: [
      {
        id: '783214',
        handle: 'x',
        display_name: 'X',
        followers: 67_000_000,
        following: 0,
        posts: 15_000,
        verified: true,
        created_at: '2007-02-20T14:35:54.000Z',
        bio: "what's happening?!",
        avatar_url: null,
      },
    ],
  },
  handler: async (request) => {
    const { query, services, after, limit, nowMs } = request;
    const call = singleCall(request);
    const key = xHandleKey(services, query.handle, 'query.handle');
    const resumed = after as Position | null;
    let account: ListedAccount;
    if (resumed === null) {
      const live = await services.live.read('x', addressOf(key), call);
      account = listedAccountOf(key, live.reading);
      if (account.status !== 'active' || account.id === null)
        return { data: [], source: 'live', readAtMs: live.observedAtMs, next: null, account };
    } else account = JSON.parse(resumed[0]) as ListedAccount;
    const [, cursor = '', session = '', skip = 0, id = newSweepId(nowMs), part = 0, listed = 0] =
      resumed ?? [];
    const page = await services.live.readFollowers(
      'x',
      { owner: account.id as string, cursor: cursor || null, session: session || null },
      { id, part, handle: key.value },
      limit,
      call,
    );
    const { reading, observedAtMs, nextPart } = page;
    const answer = { source: 'live', readAtMs: observedAtMs } as const;
    if (reading.status !== 'present') {
      return { ...answer, data: [], next: null, account: { ...account, status: reading.status } };
    }
    const shown = reading.members.slice(skip, skip + limit);
    const isWhole = skip + limit >= reading.members.length;
    const upstream = isWhole ? reading.cursor : cursor;
    const total = listed + shown.length;
    const next: Position | null =
      upstream === null
        ? null
        : [
            JSON.stringify(account),
            upstream,
            page.session ?? '',
            isWhole ? 0 : skip + limit,
            id,
            // A page that is read again is the same part of the sweep.
            isWhole ? nextPart : part,
            total,
          ];
    const capped = next !== null || account.followers === null ? null : total < account.followers;
    return {
      ...answer,
      data: shown.map(({ id: member, handle }) => {
        const { links: _, location: __, ...profile } = reading.profiles?.get(member) ?? emptyProfile('');
        return { ...profile, id: member, handle };
      }),
      next,
      account: { ...account, capped },
    };
  },
});
