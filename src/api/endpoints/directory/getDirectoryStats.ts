import { z } from 'zod';
import { readStats } from '../../../read/directory/stats.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { directoryPlatform } from '../../contract/schemas/directory.ts';

const seconds = z.int().nonnegative().nullable();

const statsSchema = z
  .object({
    platform: directoryPlatform,
    accounts: z.int().nonnegative(),
    by_status: z.record(z.string(), z.int().positive()),
    by_size: z
      .record(z.string(), z.int().positive())
      .describe('By followers; `unknown` if the platform hides them.'),
    freshness_s: z
      .object({ p50: seconds, p90: seconds, p99: seconds })
      .describe('Age of the oldest value of each account, with a resolution of five minutes.'),
  })
  .meta({ id: 'PlatformStats' });

export default endpoint({
  operation: 'getDirectoryStats',
  group: 'directory',
  method: 'GET',
  path: '/directory/stats',
  scope: 'directory:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  summary: 'Statistics of the catalog',
  description: 'By platform: number of accounts by status and size, and the age of their oldest values.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.object({ platforms: z.array(statsSchema) }),
  errors: [],
  example: {
    data: {
      platforms: [
        {
          platform: 'x',
          accounts: 2_000,
          by_status: { active: 1_930, private: 60, suspended: 10 },
          by_size: { '1k_10k': 1_200, '10k_100k': 700, '100k_1m': 100 },
          freshness_s: { p50: 900, p90: 3_600, p99: 86_400 },
        },
      ],
    },
  },
  handler: async ({ services, queuedReads, nowMs }) => {
    const { platforms, oldestMs } = await readStats(queuedReads, services.builds, nowMs);
    return {
      data: { platforms: platforms as z.input<typeof statsSchema>[] },
      source: 'catalog',
      readAtMs: oldestMs,
    };
  },
});
