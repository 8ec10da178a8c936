import { z } from 'zod';
import { listHistory } from '../../../read/directory/entry-history.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { entryParams } from '../../contract/schemas/directory.ts';
import { findEntry } from './directory-entries.ts';

const count = z.int().nonnegative().nullable();

const pointSchema = z
  .object({
    at: z.iso.datetime(),
    followers: count,
    following: count,
    posts: count,
    verified: z.boolean().nullable(),
    handle: z.string().nullable(),
    display_name: z.string().nullable(),
  })
  .meta({ id: 'HistoryPoint' });

export default endpoint({
  operation: 'listEntryHistory',
  group: 'directory',
  method: 'GET',
  path: '/directory/{platform}/{id}/history',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  summary: 'History of an account',
  description:
    'The first reading of each day and each that found a change of handle, name or verification; newest first.',
  params: entryParams,
  query: z.strictObject({}),
  data: z.array(pointSchema),
  errors: ['not_found'],
  example: {
    params: { platform: 'x', id: 'nasa' },
    data: [
      {
        at: '2026-11-21T00:16:00.000Z',
        followers: 96_000_000,
        following: 118,
        posts: 75_000,
        verified: true,
        handle: 'nasa',
        display_name: 'NASA',
      },
    ],
  },
  handler: async (request) => {
    const { services, lists, after, limit } = request;
    const found = await findEntry(request);
    const page = await listHistory(lists, services.builds, found, limit, after);
    return {
      data: [...page.items],
      source: 'catalog',
      readAtMs: page.oldestMs ?? Date.parse(found.last_seen_at),
      next: page.next,
    };
  },
});
