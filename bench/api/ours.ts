import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { watchBuilds } from '../../src/read/active-builds.ts';
import { openHttp, openRegistry } from '../../src/runtime/crawler-http.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { startApi } from '../../src/runtime/roles/api.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import { serve } from '../support/child.ts';

/** The API as the program starts it, with everything on. */
export interface OursQuestion {
  readonly databaseUrl: string;
  readonly connections: number;
}

/** A plan whose limits no bench reaches: what is measured is served. */
const PLANS = {
  plans: [
    {
      name: 'bench',
      price_usd: '0',
      units: 1_000_000_000,
      requests_per_minute: 1_000_000_000,
      live_per_minute: 1_000_000_000,
      keys: 1,
      overage_usd: null,
      weights: { catalog: 1, live: 10 },
      scopes: SCOPES,
      ip_allowlist: true,
    },
  ],
};

const start = async ({ databaseUrl, connections }: OursQuestion): Promise<string> => {
  const plans = join(tmpdir(), 'sightline-bench-plans.json');
  await writeFile(plans, JSON.stringify(PLANS));
  const config = parseConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: String(connections),
    PORT: '0',
    PLANS_FILE: plans,
  });
  const program = await openRuntime(config, 'service', silentLogger);
  const builds = await watchBuilds(program.db, silentLogger);
  const registry = openRegistry(runtime);
  const http = await openHttp(program, registry);
  const api = await startApi(program, builds, registry, http, { host: config.HOST, port: config.PORT });
  return api.url;
};

if (import.meta.main) serve(start);
