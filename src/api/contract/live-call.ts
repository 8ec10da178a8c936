import type { LiveCall } from '../../crawlers/live-read/live-queue.ts';
import type { LiveReading } from '../../crawlers/live-read/port.ts';
import type { Address } from '../../crawlers/platforms/adapter.ts';
import { hasStream } from '../../platforms/index.ts';
import type { AccountKey } from '../../read/accounts/lookups.ts';
import type { AccountStatus } from '../../write/accounts/events.ts';
import type { EndpointRequest } from './endpoint.ts';

/** A live read that is all of a request: it is answered within ten seconds, its waiting included. */
export const singleCall = (request: Request): LiveCall => callUntil(request, request.startedMs + SINGLE_MS);

/** Live reads of a batch: each has ten seconds from its first request, all together a minute. */
export const batchCall = (request: Request): LiveCall => callUntil(request, request.startedMs + BATCH_MS);

/** Live reads of a tool: all together as long as a batch, and no more requests than the tool states. */
export const toolCall = (request: Request, upstreamReads: number): LiveCall => ({
  ...batchCall(request),
  requests: { left: upstreamReads },
});

export const addressOf = ({ by, value }: AccountKey): Address =>
  by === 'id' ? { kind: 'id', id: value } : { kind: 'handle', handle: value };

/** Whether a verdict on an account that the catalog does not know is recorded. */
export const isRecorded = ({ platform, by, value }: AccountKey): boolean =>
  by === 'handle' || hasStream(platform, value);

export const statusOfReading = ({ status }: Pick<LiveReading['reading'], 'status'>): AccountStatus =>
  status === 'present' ? 'active' : status;

type Request = Pick<EndpointRequest<unknown, unknown, unknown>, 'caller' | 'requestId' | 'startedMs'>;

const SINGLE_MS = 10_000;
const BATCH_MS = 60_000;

const callUntil = ({ caller, requestId }: Request, untilMs: number): LiveCall => ({
  holder: caller.holder,
  requestId,
  untilMs,
});
