import { createAlarms } from '../../crawlers/engine/alarms.ts';
import { type ProbeResult, probe, probeNames } from '../../crawlers/engine/self-probe.ts';
import type { HttpRequest } from '../../crawlers/http/port.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { type Platform, platformOfSource, type Source } from '../../kernel/platform.ts';
import { systemRandom } from '../../kernel/random.ts';
import { recentlyActive } from '../../read/accounts.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import type { OperationsContext } from '../context.ts';

/** The platform of an engine. @throws {OperatorError} `engine_without_probe` */
export const probedPlatform = (engine: Source): Platform => {
  const platform = platformOfSource(engine);
  if (platform === null)
    throw new OperatorError(
      'engine_without_probe',
      'The engine of the marketplace has no self-probe: a feed has no accounts with a known status.',
    );
  return platform;
};

/**
 * Reads accounts with a known status now, even if the engine is paused. Findings raise the alarm of the engine; a probe
 * without findings that saw an account ends it.
 */
export const probeEngine = async (
  context: Pick<OperationsContext, 'config' | 'db' | 'log' | 'logger'>,
  adapter: PlatformAdapter,
  http: RateLimitedHttp,
): Promise<ProbeResult> => {
  const names = probeNames(context.config, adapter);
  const known = await knownAccounts(context, adapter.platform);
  const present = known.length > 0 ? known : names.present;
  const asking = { ...http, fetch: (request: HttpRequest) => http.fetch(request, { duringPause: true }) };
  const result = await probe(adapter, asking, systemRandom, { ...names, present });
  const alarms = createAlarms({
    engine: adapter.platform,
    worker: `command-${process.pid}`,
    logger: context.logger,
    clock: systemClock,
    log: context.log,
    keep: (work) => work(),
  });
  for (const { reason, detail } of result.findings) await alarms.raise(reason, detail);
  if (result.findings.length === 0 && result.seen !== null) await alarms.end();
  return result;
};

/** Maximum accounts of the catalog that a probe chooses from. */
const CHOICE = 32;

/** Public accounts of the catalog that were read recently; none before the first build. */
const knownAccounts = async (
  { db, logger }: Pick<OperationsContext, 'db' | 'logger'>,
  platform: Platform,
): Promise<readonly string[]> => {
  const builds = await watchBuilds(db, logger);
  try {
    return builds.progress('accounts') === null ? [] : await recentlyActive(db, builds, platform, CHOICE);
  } finally {
    builds.close();
  }
};
