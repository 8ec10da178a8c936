import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { createLogger } from '../../src/kernel/logger.ts';
import { watchBuilds } from '../../src/read/active-builds.ts';
import { openHttp, openRegistry } from '../../src/runtime/crawler-http.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { startApi } from '../../src/runtime/roles/api.ts';
import { frameEndpoints } from './frame-endpoints.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The API alone in a separate process, one of many on the same Postgres. */
export interface ApiProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ended: Promise<void>;
}

/** @param skewMs error of the process's clock, in milliseconds. */
export const startApiProcess = async (
  env: Readonly<Record<string, string>>,
  skewMs = 0,
): Promise<ApiProcess> => {
  const child = spawn(`${ROOT}/node_modules/.bin/node`, [fileURLToPath(import.meta.url)], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: '0',
      LOG_LEVEL: 'error',
      ...env,
      SKEW_MS: String(skewMs),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http')) return { child, url: line, ended };
  }
  throw new Error('the API ended before it was up');
};

/** Shifts the process's wall clock; monotonic clocks are not affected. */
const skew = (ms: number): void => {
  const right = Date.now.bind(Date);
  Date.now = () => right() + ms;
};

if (import.meta.main) {
  skew(Number(process.env.SKEW_MS ?? 0));
  const config = parseConfig(process.env);
  const logger = createLogger(config);
  const program = await openRuntime(config, 'service', logger);
  const builds = await watchBuilds(program.db, logger);
  const registry = openRegistry(program);
  const http = await openHttp(program, registry);
  const listen = { host: config.HOST, port: config.PORT };
  const endpoints = [...(await loadEndpoints()), ...frameEndpoints];
  const api = await startApi(program, builds, registry, http, listen, { endpoints });
  process.on('SIGTERM', async () => {
    await api.stop();
    await http.close();
    builds.close();
    await program.close();
    process.exit(0);
  });
  process.stdout.write(`${api.url}\n`);
}
