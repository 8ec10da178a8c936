import { sightingOf } from '../../crawlers/engine/sighting.ts';
import type { Http } from '../../crawlers/http/port.ts';
import type { PlatformAdapter, Reading } from '../../crawlers/platforms/adapter.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { PLATFORMS, type Platform, platformSchema } from '../../kernel/platform.ts';
import { accountOfUrl, descriptorOf } from '../../platforms/index.ts';
import { recordSighting } from '../../write/accounts/account.ts';
import type { OperationsContext } from '../context.ts';

export type { Reading } from '../../crawlers/platforms/adapter.ts';

export interface AccountReading {
  readonly platform: Platform;
  readonly handle: string;
  readonly reading: Reading;
  /** Events that the reading added to the log; 0 if it was inconclusive or found nothing new. */
  readonly events: number;
}

/**
 * Reads accounts from their platform now, one after the other, and records what is seen.
 * @param http shares the rate limit of the crawlers.
 * @throws {OperatorError} `handle_invalid`, before anything is read.
 */
export const readAccounts = (
  context: Pick<OperationsContext, 'config' | 'log'>,
  adapter: PlatformAdapter,
  http: Http,
  names: readonly string[],
): AsyncIterable<AccountReading> => readEach(context, adapter, http, parseHandles(adapter, names));

/** Reads one account from its platform now, and records what is seen. @param handle in normal form. */
export const readAccount = async (
  { config, log }: Pick<OperationsContext, 'config' | 'log'>,
  adapter: PlatformAdapter,
  http: Http,
  handle: string,
): Promise<AccountReading> => {
  const { platform } = adapter;
  const nowMs = systemClock.now();
  const reading = await adapter.read({ kind: 'handle', handle }, { http, posts: config.CRAWL_POSTS });
  if (reading.status === 'unknown') return { platform, handle, reading, events: 0 };
  const sighting = sightingOf(reading, nowMs, 'crawler');
  const { events } = await recordSighting(log, platform, handle, sighting, { nowMs });
  return { platform, handle, reading, events: events.length };
};

/** @throws {OperatorError} `platform_unknown` */
export const parsePlatform = (name: string): Platform => {
  const platform = platformSchema.safeParse(name.toLowerCase());
  if (platform.success) return platform.data;
  throw new OperatorError(
    'platform_unknown',
    `"${name}" is no platform. The platforms are: ${PLATFORMS.join(', ')}`,
  );
};

/**
 * The handle that a text names, in normal form: a handle, or the address of a profile of the platform. It is an ID where crawlers
 * name accounts by it. Null for any other text.
 */
export const handleNamed = (platform: Platform, text: string): string | null => {
  const { isBareId, parseHandle } = descriptorOf(platform);
  const handle = parseHandle(text);
  if (handle !== null || !text.includes('/')) return handle;
  const address = text.includes('://') ? text : `https://${text}`;
  const found = URL.canParse(address) ? accountOfUrl(new URL(address)) : null;
  if (found?.platform !== platform) return null;
  if (found.address.kind === 'handle') return found.address.handle;
  return isBareId(found.address.id) ? found.address.id : null;
};

/** Handles in normal form. @throws {OperatorError} `handle_invalid` where the platform's grammar refuses one. */
export const parseHandles = (adapter: PlatformAdapter, names: readonly string[]): readonly string[] =>
  names.map((name) => {
    const handle = handleNamed(adapter.platform, name);
    if (handle !== null) return handle;
    throw new OperatorError(
      'handle_invalid',
      `"${name}" is no handle of ${adapter.name}, which look like ${adapter.handlePattern}, and no address of a profile`,
    );
  });

async function* readEach(
  context: Pick<OperationsContext, 'config' | 'log'>,
  adapter: PlatformAdapter,
  http: Http,
  handles: readonly string[],
): AsyncIterable<AccountReading> {
  for (const handle of handles) yield await readAccount(context, adapter, http, handle);
}
