import type { LiveCall } from '../../crawlers/live-read/live-queue.ts';
import type { LiveReading } from '../../crawlers/live-read/port.ts';
import type { Address } from '../../crawlers/platforms/adapter.ts';
import { hasStream } from '../../platforms/index.ts';
import type { AccountKey } from '../../read/accounts.ts';
import type { AccountStatus } from '../../write/accounts/account.ts';
import type { EndpointRequest } from './endpoint.ts';

/** The call of a request with a single live read: it has ten seconds, including its wait. */
export const singleCall = (request: Request): LiveCall => callUntil(request, request.startedMs + SINGLE_MS);

/** The call of a batch of live reads: each has ten seconds from its first request, and all together a minute. */
export const batchCall = (request: Request): LiveCall => callUntil(request, request.startedMs + BATCH_MS);

/** The call of a tool: its live reads have the time of a batch, and no more requests than the tool states. */
export const toolCall = (request: Request, upstreamReads: number): LiveCall => ({
  ...batchCall(request),
  requests: { left: upstreamReads },
});

export const addressOf = ({ by, value }: AccountKey): Address =>
  by === 'id' ? { kind: 'id', id: value } : { kind: 'handle', handle: value };

/** Whether a verdict on an account that the catalog does not know can be recorded. */
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
