import { z } from 'zod';
import { type Answer, endpoint } from '../../contract/endpoint.ts';
import { EXAMPLE_POST, livePostSchema } from '../../contract/schemas/scrape.ts';
import { livePostOf } from './live-answers.ts';

const tweetSchema = z.object({
  id: z.string(),
  status: z
    .enum(['ok', 'absent', 'author_private', 'author_suspended'])
    .describe('absent: the post does not exist, or no longer exists.'),
  post: livePostSchema.nullable(),
});

type TweetAnswer = z.input<typeof tweetSchema>;

export default endpoint({
  operation: 'scrapeXTweet',
  group: 'scrape',
  method: 'GET',
  path: '/scrape/x/tweet',
  scope: 'scrape:live',
  meter: 'live',
  upstreamReads: 6,
  list: false,
  summary: 'Read one post of X',
  description:
    'Reads one post from X by its ID, and records it in the catalog. Requires a session of the operator. If the post is proven absent, or hidden together with its author, the call succeeds: `status` says so, and `post` is null.',
  params: z.strictObject({}),
  query: z.strictObject({
    id: z
      .string()
      .regex(/^[0-9]{1,19}$/, 'must be the ID of a post: up to 19 digits')
      .describe('ID of the post: the digits at the end of its address.'),
  }),
  data: tweetSchema,
  errors: [],
  example: {
    query: { id: EXAMPLE_POST.id },
    data: { id: EXAMPLE_POST.id, status: 'ok', post: EXAMPLE_POST },
  },
  handler: async (request) => {
    const { query, services } = request;
    const { reading, observedAtMs } = await services.live.readPost('x', query.id, request.liveCall);
    const found = (data: Pick<TweetAnswer, 'status' | 'post'>): Answer<TweetAnswer> => ({
      data: { id: query.id, ...data },
      source: 'live',
      readAtMs: observedAtMs,
    });
    if (reading.status === 'present') {
      const { post, profile } = reading;
      const author = { id: profile.id, handle: profile.handle };
      return found({ status: 'ok', post: livePostOf(post, author, observedAtMs, null) });
    }
    return found({
      status: reading.status === 'absent' ? 'absent' : `author_${reading.status}`,
      post: null,
    });
  },
});
