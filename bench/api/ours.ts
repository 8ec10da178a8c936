import { openHttp, openRegistry } from '../../src/cli/program/http.ts';
import { openProgram } from '../../src/cli/program/open.ts';
import { openPacedHttp, startApi } from '../../src/cli/program/roles.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { watchBuilds } from '../../src/read/builds.ts';
import { serve } from '../support/child.ts';

/** The API as the program starts it, with everything on. */
export interface OursQuestion {
  readonly databaseUrl: string;
  readonly connections: number;
}

const start = async ({ databaseUrl, connections }: OursQuestion): Promise<string> => {
  const config = parseConfig({ DATABASE_URL: databaseUrl, DATABASE_POOL: String(connections), PORT: '0' });
  const program = await openProgram(config, 'service', silentLogger);
  const builds = await watchBuilds(program.db, silentLogger);
  const registry = openRegistry(config);
  const http = openPacedHttp(program, openHttp(config, registry));
  const api = await startApi(program, builds, registry, http, { host: config.HOST, port: config.PORT });
  return api.url;
};

if (import.meta.main) serve(start);
