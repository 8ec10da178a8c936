import { z } from 'zod';
import { listSimilar } from '../../../read/directory/similar.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { directoryPlatform, entryParams } from '../../contract/schemas/directory.ts';
import { measuredAt } from '../../contract/schemas/measured-at.ts';
import { findEntry } from './directory-entries.ts';

const similarSchema = z
  .object({
    platform: directoryPlatform,
    id: z.string().nullable(),
    handle: z.string().nullable(),
    display_name: z.string().nullable(),
    followers: z.int().nonnegative().nullable(),
    measured_at: measuredAt,
    score: z.number().min(0).max(1),
    reasons: z.array(z.enum(['handle', 'name', 'shared_links', 'size'])),
  })
  .meta({ id: 'SimilarEntry' });

export default endpoint({
  operation: 'listSimilarEntries',
  group: 'directory',
  method: 'GET',
  path: '/directory/{platform}/{id}/similar',
  scope: 'directory:read',
  meter: 'catalog',
  list: true,
  summary: 'Similar accounts',
  description:
    'Accounts of all directory platforms with a similar handle, name, links or size, most similar first. The comparison covers accounts that share a link, a word of the name, or a prefix of a word or of the handle, if at most 200 accounts share it, and 200 accounts with the same name. Similarity does not prove a common owner.',
  params: entryParams,
  query: z.strictObject({}),
  data: z.array(similarSchema),
  errors: ['not_found'],
  example: {
    params: { platform: 'x', id: 'nasa' },
    data: [
      {
        platform: 'instagram',
        id: '528817151',
        handle: 'nasa',
        display_name: 'NASA',
        followers: 97_000_000,
        score: 0.9984,
        reasons: ['handle', 'name', 'shared_links', 'size'],
      },
    ],
  },
  handler: async (request) => {
    const { services, queuedReads, after, limit } = request;
    const found = await findEntry(request);
    const page = await listSimilar(queuedReads, services.builds, found, limit, after);
    return {
      data: page.items as z.input<typeof similarSchema>[],
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
