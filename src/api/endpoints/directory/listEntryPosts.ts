import { z } from 'zod';
import { listPosts } from '../../../read/posts/entry-posts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { EXPORT_LIMIT } from '../../contract/parse-request.ts';
import { entryParams } from '../../contract/schemas/directory.ts';
import { findEntry } from './directory-entries.ts';

const count = z.int().nonnegative().nullable();

const postSchema = z
  .object({
    id: z.string(),
    url: z.string().nullable(),
    at: z.iso.datetime().nullable(),
    kind: z.enum(['original', 'reply', 'repost', 'quote']),
    text: z.string().nullable(),
    likes: count,
    replies: count,
    reposts: count,
    views: count,
    observed_at: z.iso.datetime(),
  })
  .meta({ id: 'Post' });

export default endpoint({
  operation: 'listEntryPosts',
  group: 'directory',
  method: 'GET',
  path: '/directory/{platform}/{id}/posts',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  maxLimit: EXPORT_LIMIT,
  summary: 'Posts of an account',
  description:
    'Observed posts, newest first. For 60 days, the counts of an older post are recorded again if they have moved by 2 %. `observed_at` is the time of the oldest reading among these counts.',
  params: entryParams,
  query: z.strictObject({}),
  data: z.array(postSchema),
  errors: ['not_found'],
  example: {
    params: { platform: 'x', id: 'nasa' },
    data: [
      {
        id: '1990000000000000000',
        url: 'https://x.com/nasa/status/1990000000000000000',
        at: '2026-11-20T19:00:00.000Z',
        kind: 'original',
        text: 'Liftoff.',
        likes: 41_000,
        replies: 800,
        reposts: 5_200,
        views: 2_100_000,
        observed_at: '2026-11-21T08:16:00.000Z',
      },
    ],
  },
  handler: async (request) => {
    const { services, queuedReads, after, limit } = request;
    const found = await findEntry(request);
    const page = await listPosts(queuedReads, services.builds, found, limit, after);
    return {
      data: [...page.items],
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
