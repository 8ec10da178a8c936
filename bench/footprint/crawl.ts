import { recruitSeeds } from '../../src/crawlers/pools/choose-pool.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { readAccounts } from '../../src/operations/crawl/read-accounts.ts';
import { openHttp, openRegistry } from '../../src/runtime/crawler-http.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { serve } from '../support/child.ts';

export interface CrawlQuestion {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  readonly handles: Readonly<Partial<Record<Platform, readonly string[]>>>;
}

/** Accounts that had posts, and the posts of all. */
export interface CrawlAnswer {
  readonly accounts: number;
  readonly posts: number;
}

/** Accounts read at once on a platform. */
const AT_ONCE = 6;

/** Recruits accounts and reads each once, as a crawler with a session does. */
const run = async ({ databaseUrl, simulatorUrl, handles }: CrawlQuestion): Promise<CrawlAnswer> => {
  const config = parseConfig({
    DATABASE_URL: databaseUrl,
    SIMULATOR_URL: simulatorUrl,
    CRAWL_RATE_PER_S: '1000',
    CRAWL_CONCURRENCY: '16',
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
    PORT: '0',
    CONSOLE_PORT: '0',
  });
  const runtime = await openRuntime(config, 'service', silentLogger);
  const registry = openRegistry(runtime);
  const http = await openHttp(runtime, registry);
  let [accounts, posts] = [0, 0];
  const read = async (platform: Platform, names: readonly string[]) => {
    const found = readAccounts(runtime, registry.adapterOf(platform), http, names);
    for await (const { reading } of found) {
      if (reading.status !== 'present' || reading.posts === null || reading.posts.length === 0) continue;
      accounts += 1;
      posts += reading.posts.length;
    }
  };
  for (const platform of PLATFORMS) {
    const names = handles[platform] ?? [];
    await recruitSeeds(runtime.log, platform, names, Date.now());
    const parts = Array.from({ length: AT_ONCE }, (_, n) => names.filter((_, i) => i % AT_ONCE === n));
    await Promise.all(parts.filter((part) => part.length > 0).map((part) => read(platform, part)));
  }
  await http.close();
  await runtime.close();
  return { accounts, posts };
};

if (import.meta.main) serve(run);
