import { z } from 'zod';
import { newSweepId } from '../../../crawlers/live-read/reader.ts';
import type { CursorPosition } from '../../../read/keyset.ts';
import { emptyProfile, type FieldName, type Profile, perField } from '../../../write/accounts/profile.ts';
import { endsEarly } from '../../../write/follows.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { factShape } from '../../contract/schemas/directory.ts';
import { cutUpstreamPage, nothingListed, openUpstreamList, xKey, xListEndpoint } from './live-answers.ts';

/** An account as X shows it in a list. */
const LISTED = [
  'display_name',
  'followers',
  'following',
  'posts',
  'verified',
  'created_at',
  'bio',
  'avatar_url',
] as const satisfies readonly FieldName[];

type Listed = Pick<Profile, (typeof LISTED)[number]>;

const followerSchema = z
  .object({
    id: z.string(),
    handle: z
      .string()
      .nullable()
      .describe('null: X lists the account without a name because it is suspended.'),
    ...factShape(LISTED),
  })
  .meta({ id: 'LiveFollower' });

/** The sweep that a cursor belongs to: its ID, the number of its events, and of the members listed so far. */
const sweepOf = (after: CursorPosition): readonly [id: string, part: number, listed: number] => [
  String(after[5]),
  Number(after[6]),
  Number(after[7]),
];

export default endpoint({
  ...xListEndpoint,
  operation: 'scrapeXFollowers',
  path: '/scrape/x/followers',
  summary: 'Read an account’s followers on X',
  description:
    'Reads a page of an account’s followers from X, newest followers first, and records it in the follower graph. Requires a session of the operator. Each page is a live call. X ends long lists early; `meta.account.capped` is then true on the last page.',
  data: z.array(followerSchema),
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
    const key = await xKey(services, query.handle, 'query.handle');
    const opened = await openUpstreamList(request, key);
    if ('nothing' in opened) return opened.nothing;
    // A page of another size would have other members at its position of the sweep.
    const list = { ...opened, count: opened.askedBefore };
    const { account } = list;
    const [id, part, listed] = after === null ? [newSweepId(nowMs), 0, 0] : sweepOf(after);
    const sweep = {
      id,
      part,
      isResumed: after !== null,
      listed: listed - list.skip,
      stated: account.followers,
      handle: key.by === 'handle' ? key.value : (account.handle ?? key.value),
    };
    const page = await services.live.readFollowers('x', list.at, sweep, list.count, request.liveCall);
    const { reading, observedAtMs, session, recorded } = page;
    if (reading.status !== 'present')
      return nothingListed(observedAtMs, { ...account, status: reading.status });
    const { members, cursor, profiles } = reading;
    const { shown, next, isWhole } = cutUpstreamPage(list, members, limit, { cursor, session });
    const total = listed + shown.length;
    const capped = next !== null || account.followers === null ? null : endsEarly(total, account.followers);
    return {
      data: shown.map(({ id: member, handle }) => {
        const profile = profiles?.get(member) ?? emptyProfile('');
        return { id: member, handle, ...(perField(LISTED, (_, name) => profile[name]) as Listed) };
      }),
      source: 'live',
      readAtMs: Math.min(observedAtMs, list.accountReadAtMs),
      // A page that is read again is the same part of the sweep.
      next:
        next === null ? null : [...next, recorded.sweep, isWhole ? recorded.pages : recorded.first, total],
      account: { ...account, capped },
    };
  },
});
