import type { LiveCall } from '../../crawlers/live-read/live-queue.ts';
import type { LiveReading } from '../../crawlers/live-read/port.ts';
import type { Address } from '../../crawlers/platforms/adapter.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { hasStream } from '../../platforms/index.ts';
import type { AccountKey } from '../../read/accounts.ts';
import type { AccountStatus } from '../../write/accounts/account.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * The call of a request for reading platforms, from the start of its work: ten seconds, and a minute for tools and batches, whose
 * reads have ten seconds each from their first request.
 * @param items live calls of the request; 1 but for batches.
 */
export const liveCallOf = (
  { tool, items: ofItems, upstreamReads = 0 }: Pick<Endpoint, 'tool' | 'items' | 'upstreamReads'>,
  { holder, requestId }: Pick<LiveCall, 'holder' | 'requestId'>,
  items: number,
): LiveCall => ({
  holder,
  requestId,
  untilMs: steadyMs() + (tool === undefined && ofItems === undefined ? SINGLE_MS : MANY_MS),
  requests: { left: upstreamReads * items },
});

export const addressOf = ({ by, value }: AccountKey): Address =>
  by === 'id' ? { kind: 'id', id: value } : { kind: 'handle', handle: value };

/** Whether a verdict on an account that the catalog does not know can be recorded. */
export const isRecorded = ({ platform, by, value }: AccountKey): boolean =>
  by === 'handle' || hasStream(platform, value);

export const statusOfReading = ({ status }: Pick<LiveReading['reading'], 'status'>): AccountStatus =>
  status === 'present' ? 'active' : status;

const SINGLE_MS = 10_000;
const MANY_MS = 60_000;
