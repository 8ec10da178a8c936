import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { watchBuilds } from '../../src/read/active-builds.ts';
import { openHttp, openRegistry } from '../../src/runtime/crawler-http.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { startApi } from '../../src/runtime/roles/api.ts';
import { publishedPlans } from '../../src/write/holders/plans.ts';
import { serve } from '../support/child.ts';

/** The published plans, but for the budgets: many rounds must not spend them. */
const plansFile = async (): Promise<string> => {
  const plans = publishedPlans('A').all.map(({ price_micro_usd: _, overage_micro_usd: __, ...plan }) => ({
    ...plan,
    units: 1_000_000_000,
    price_usd: '0',
    overage_usd: null,
    support: plan.support ?? undefined,
  }));
  const path = join(tmpdir(), 'sightline-bench-neighbour-plans.json');
  await writeFile(path, JSON.stringify({ plans }));
  return path;
};

const start = async (databaseUrl: string): Promise<string> => {
  const config = parseConfig({ DATABASE_URL: databaseUrl, PORT: '0', PLANS_FILE: await plansFile() });
  const program = await openRuntime(config, 'service', silentLogger);
  const builds = await watchBuilds(program.db, silentLogger);
  const registry = openRegistry(runtime);
  const http = await openHttp(program, registry);
  const api = await startApi(program, builds, registry, http, { host: config.HOST, port: config.PORT });
  return api.url;
};

if (import.meta.main) serve(start);
