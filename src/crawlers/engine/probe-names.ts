import type { Config } from '../../kernel/config.ts';
import type { PlatformAdapter } from '../platforms/adapter.ts';
import type { ProbeNames } from './self-probe.ts';

/** Accounts of a platform with a known state, for its engine's self-probes. */
export const probeNames = (
  config: Pick<Config, 'CRAWL_PROBES' | 'SIMULATOR_URL'>,
  { platform, probes }: PlatformAdapter,
): ProbeNames => {
  const configured = (config.CRAWL_PROBES ?? []).filter((each) => each.platform === platform);
  const of = (status: keyof ProbeNames) =>
    configured.filter((each) => each.status === status).map((each) => each.handle);
  // The simulator has none of the real accounts.
  const real = config.SIMULATOR_URL === undefined ? probes : [];
  return { present: [...of('present'), ...real], private: of('private'), suspended: of('suspended') };
};
