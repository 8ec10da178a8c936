import { z } from 'zod';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { isInDirectory } from '../../../platforms/index.ts';
import { endpoint } from '../../contract/endpoint.ts';

const platform = z
  .object({
    platform: platformSchema,
    name: z.string(),
    in_directory: z.boolean(),
    live: z.boolean(),
    verify: z.boolean(),
    handle_pattern: z.string(),
    profile_url_template: z.string(),
    accounts: z.int().nonnegative(),
    newest_sighting_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Platform' });

export default endpoint({
  operation: 'listPlatforms',
  group: 'accounts',
  method: 'GET',
  path: '/accounts/platforms',
  scope: 'accounts:read',
  meter: 'free',
  list: true,
  summary: 'The platforms',
  description:
    'Capabilities of each platform, the number of its accounts in the catalog, and the time of the newest sighting.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.array(platform),
  errors: [],
  example: {
    data: [
      {
        platform: 'x',
        name: 'X',
        in_directory: true,
        live: true,
        verify: true,
        handle_pattern: '^[A-Za-z0-9_]{1,20}$',
        profile_url_template: 'https://x.com/{handle}',
        accounts: 2_000,
        newest_sighting_at: '2026-11-21T08:29:58.000Z',
      },
    ],
  },
  handler: async ({ services, limit, after }) => {
    const totals = new Map((await services.accounts.totals()).map((total) => [total.platform, total]));
    const start = after === null ? 0 : Number(after[0]) + 1;
    const shown = PLATFORMS.slice(start, start + limit).map((name) => {
      const adapter = services.adapterOf(name);
      const total = totals.get(name);
      return {
        platform: name,
        name: adapter.name,
        in_directory: isInDirectory(adapter.platform),
        live: true,
        // Ownership is verified by a code in a public profile, which only directory platforms show.
        verify: isInDirectory(adapter.platform),
        handle_pattern: adapter.handlePattern,
        profile_url_template: adapter.profileUrlTemplate,
        accounts: total?.accounts ?? 0,
        newest_sighting_at: total?.newest_sighting_at ?? null,
      };
    });
    const end = start + shown.length;
    return {
      data: shown,
      source: 'service',
      readAtMs: null,
      next: end < PLATFORMS.length ? [end - 1] : null,
    };
  },
});
