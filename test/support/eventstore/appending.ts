import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import { callError, type Faults, met } from './faults.ts';
import { appendedMessage, errorMessage, expectedOf, nameOf, proposedOf } from './messages.ts';
import type { EventStore, Proposed } from './store.ts';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

interface Pending {
  readonly options: BatchAppendReq.Options;
  readonly events: Proposed[];
}

/** Handles appends as they arrive: any number over one call, each in one or more messages. */
export const batchAppendHandler = (store: EventStore, faults: Faults) => (call: Call) => {
  const pending = new Map<string, Pending>();
  const take = async (correlation: string, { options, events }: Pending): Promise<void> => {
    const error = met(faults, call.metadata);
    if (error !== null) {
      if (faults.deny) call.write(errorMessage(correlation, 'AccessDenied'));
      else call.emit('error', error);
      return;
    }
    if (faults.mute) return;
    if (faults.timeOutBeforeAppend > 0) {
      faults.timeOutBeforeAppend -= 1;
      call.write(errorMessage(correlation, 'Timeout'));
      return;
    }
    const stream = nameOf(options.getStreamIdentifier());
    const appended = store.append(stream, expectedOf(options), events);
    faults.onAppend?.(events.length);
    if (faults.breakAfterAppend > 0) {
      faults.breakAfterAppend -= 1;
      call.emit('error', callError(status.UNAVAILABLE, 'the node died'));
      return;
    }
    if (faults.timeOutAfterAppend > 0) {
      faults.timeOutAfterAppend -= 1;
      call.write(errorMessage(correlation, 'Timeout'));
      return;
    }
    if (faults.answersAfter !== null) await faults.answersAfter;
    if (faults.delayMs > 0) await sleep(faults.delayMs);
    const told = faults.noPositions && appended.result === 'success' ? { ...appended, at: null } : appended;
    if (!call.destroyed) call.write(appendedMessage(correlation, stream, told));
  };
  call.on('data', (request: BatchAppendReq) => {
    const correlation = request.getCorrelationId()?.getString() ?? '';
    const options = request.getOptions();
    const held = pending.get(correlation) ?? (options === undefined ? undefined : { options, events: [] });
    if (held === undefined) return;
    held.events.push(...request.getProposedMessagesList().map(proposedOf));
    pending.set(correlation, held);
    if (!request.getIsFinal()) return;
    pending.delete(correlation);
    void take(correlation, held);
  });
  call.on('end', () => call.end());
};
