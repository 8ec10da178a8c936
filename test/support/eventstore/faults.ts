import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/** Faults that a node simulates until they are changed. */
export interface Faults {
  /** Delay of answers. */
  delayMs: number;
  /** Delay between the request for a subscription and its start. */
  lateSubscriptionMs: number;
  /** Calls are accepted and keep-alive is answered, but nothing else. */
  mute: boolean;
  /** Number of next calls that are refused without effect. */
  refuse: number;
  /** Number of next appends that are stored, but whose call breaks before the answer. */
  breakAfterAppend: number;
  /** Number of next appends that time out and are not stored. */
  timeOutBeforeAppend: number;
  /** Number of next appends that are stored but answered with a time-out. */
  timeOutAfterAppend: number;
  /** All access is denied. */
  deny: boolean;
  /** Address of the leader; null if this node is the leader. */
  leader: { readonly address: string; readonly port: number } | null;
  /** The cluster does not list this node, which still finishes the calls it has begun. */
  hidden: boolean;
  /** Called with the events of each stored append, before it is answered. */
  onAppend: ((events: number) => void) | null;
  /** Stored appends are answered once this resolves. */
  answersAfter: Promise<void> | null;
  /** Appends are answered without their positions. */
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

/** The error that a new call gets; null if it may proceed. */
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
