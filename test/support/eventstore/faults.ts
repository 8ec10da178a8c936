import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/** What a node does wrong, until it is told otherwise. */
export interface Faults {
  /** Answers come this late. */
  delayMs: number;
  /** Subscriptions begin this long after they were asked for. */
  lateSubscriptionMs: number;
  /** Calls are taken, keep-alive is answered, and nothing else is. */
  mute: boolean;
  /** So many of the next calls are refused, and nothing of them is done. */
  refuse: number;
  /** So many of the next appends are taken, and their call breaks before it is answered. */
  breakAfterAppend: number;
  /** So many of the next appends are answered with a time-out, and not taken. */
  timeOutBeforeAppend: number;
  /** So many of the next appends are taken, and answered with a time-out. */
  timeOutAfterAppend: number;
  /** Nobody is let in. */
  deny: boolean;
  /** Where the leader is; null where this node is it. */
  leader: { readonly address: string; readonly port: number } | null;
  /** The cluster does not know of this node, which goes on with what it has begun. */
  hidden: boolean;
  /** Called with the events of each append that was taken, before it is answered. */
  onAppend: ((events: number) => void) | null;
  /** Appends that were taken are answered after this. */
  answersAfter: Promise<void> | null;
  /** Appends are answered without saying where they stand. */
  noPositions: boolean;
}

export const noFaults = (): Faults => ({
  delayMs: 0,
  lateSubscriptionMs: 0,
  mute: false,
  refuse: 0,
  breakAfterAppend: 0,
  timeOutBeforeAppend: 0,
  timeOutAfterAppend: 0,
  hidden: false,
  deny: false,
  leader: null,
  onAppend: null,
  answersAfter: null,
  noPositions: false,
});

export const callError = (
  code: status,
  details: string,
  about: Record<string, string> = {},
): ServiceError => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(about)) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata });
};

/** The error that a new call meets; null where it may go on. */
export const met = (faults: Faults, sent: Metadata): ServiceError | null => {
  if (faults.refuse > 0) {
    faults.refuse -= 1;
    return callError(status.UNAVAILABLE, 'Server Is Not Ready');
  }
  if (faults.deny) {
    return callError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
  }
  if (faults.leader !== null && sent.get('requires-leader')[0] === 'true') {
    return callError(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': faults.leader.address,
      'leader-endpoint-port': String(faults.leader.port),
    });
  }
  return null;
};
