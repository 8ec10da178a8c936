import type { ConsoleContext } from '../../console/console.ts';
import { createJobs } from '../../console/jobs.ts';
import { startConsole } from '../../console/server.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { readAccount } from '../../operations/crawl/read-accounts.ts';
import { openEngineReads } from '../../operations/engines/engines.ts';
import { probedPlatform, probeEngine } from '../../operations/engines/probe.ts';
import { addSession, findSession, testSession } from '../../operations/sessions/sessions.ts';
import type { WatchedBuilds } from '../../read/active-builds.ts';
import { keyringOf, openHttp } from '../crawler-http.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/** Serves the operators' console. */
export const startConsoleRole = async (
  runtime: Runtime,
  builds: WatchedBuilds,
  registry: Registry,
): Promise<Running & { readonly origin: string }> => {
  const { logger, config } = runtime;
  const engines = await openEngineReads(runtime);
  const jobs = createJobs(logger);
  const keyring = keyringOf(config);
  /** HTTP to platforms, for one action. */
  const withHttp = async <Result>(
    work: (http: Awaited<ReturnType<typeof openHttp>>) => Promise<Result>,
  ): Promise<Result> => {
    const http = await openHttp(runtime, registry);
    return work(http).finally(() => http.close());
  };
  const platforms: ConsoleContext['platforms'] = {
    read: (context, { platform, kind, name }) => {
      if (kind === 'id')
        throw new OperatorError('argument_invalid', 'An account without a handle is read by its pool alone.');
      return withHttp(async (http) => {
        const adapter = registry.adapterOf(platform);
        const { reading, events } = await readAccount(context, adapter, http, name);
        const found = reading.status === 'unknown' ? `inconclusive: ${reading.reason}` : reading.status;
        return `${platform}: ${name} is ${found}; ${events} ${events === 1 ? 'event was' : 'events were'} added.`;
      });
    },
    probe: (context, engine) =>
      withHttp(async (http) => {
        const adapter = registry.adapterOf(probedPlatform(engine));
        const { findings, conclusive, seen } = await probeEngine({ ...context, config }, adapter, http);
        if (findings.length > 0)
          return findings
            .map(
              ({ reason, surface, detail }) =>
                `${reason}${surface === null ? '' : ` (${surface})`}: ${detail}`,
            )
            .join('\n');
        if (conclusive.length === 0) return 'No surface gave a conclusive answer.';
        return `No false verdict by ${conclusive.map(({ surface }) => surface).join(', ')}. ${
          seen === null ? 'No existing account is seen.' : `${seen} is seen.`
        }`;
      }),
    addSession: (context, session) => addSession(context, keyring, registry, session),
    testSession: async (context, name) => {
      const session = await findSession(context, name);
      return withHttp(async (http) => {
        const adapter = registry.adapterOf(session.platform);
        const { verdict, detail } = await testSession(context, keyring, adapter, http, session);
        return `${verdict}: ${detail}`;
      });
    },
  };
  const parts: ConsoleContext = { ...runtime, builds, engines, jobs, platforms, keyring };
  try {
    const { origin, close } = await startConsole(parts);
    return {
      origin,
      stop: async () => {
        await jobs.stop();
        await close();
        await engines.close();
      },
    };
  } catch (error) {
    await engines.close();
    throw error;
  }
};
