import { sightingOf } from '../../crawlers/engine/sighting.ts';
import type { Http } from '../../crawlers/http/port.ts';
import type { PlatformAdapter, Reading } from '../../crawlers/platforms/adapter.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { recordSighting } from '../../write/accounts/account.ts';
import type { OperationsContext } from '../context.ts';
import { parseHandles } from './handles.ts';

export type { Reading } from '../../crawlers/platforms/adapter.ts';

export interface AccountReading {
  readonly platform: Platform;
  readonly handle: string;
  readonly reading: Reading;
  /** Events that the reading added to the log; none where it is inconclusive or found nothing new. */
  readonly events: number;
}

/**
 * Reads accounts from their platform now, one after the other, and records what is seen.
 * @param http rate-limited as the crawlers' own, since they share the platform's limit.
 * @throws {OperatorError} `handle_invalid`, before anything is read.
 */
export const readAccounts = (
  context: Pick<OperationsContext, 'config' | 'log'>,
  adapter: PlatformAdapter,
  http: Http,
  names: readonly string[],
): AsyncIterable<AccountReading> => readEach(context, adapter, http, parseHandles(adapter, names));

async function* readEach(
  { config, log }: Pick<OperationsContext, 'config' | 'log'>,
  adapter: PlatformAdapter,
  http: Http,
  handles: readonly string[],
): AsyncIterable<AccountReading> {
  const { platform } = adapter;
  for (const handle of handles) {
    const startedAt = systemClock.now();
    const reading = await adapter.read({ kind: 'handle', handle }, { http, posts: config.CRAWL_POSTS });
    const events =
      reading.status === 'unknown'
        ? 0
        : (
            await recordSighting(log, platform, handle, sightingOf(reading, startedAt, 'crawler'), {
              nowMs: startedAt,
            })
          ).events.length;
    yield { platform, handle, reading, events };
  }
}
