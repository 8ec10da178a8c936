import { callerOf } from '../../kernel/cidr.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors.ts';

/**
 * Throttles requests without a valid key by address, against guessing of keys. Requests with a valid key are never
 * throttled by it.
 */
export interface AuthThrottle {
  /** Counts a failed authentication; returns the error to send. */
  refuse(address: string, failure: ServiceError): ServiceError;
}

const WINDOW_MS = 60_000;
const MAX_FAILURES = 60;
const MAX_ADDRESSES = 50_000;

const tooMany = (waitS: number): ServiceError =>
  new ServiceError('rate_limited', 'Too many requests without a valid key from your address.', {
    retryAfterS: waitS,
  });

export const createAuthThrottle = (steadyMs: () => number = elapsedMs): AuthThrottle => {
  const failures = new Map<string, { count: number; readonly since: number }>();

  const windowOf = (network: string) => {
    const found = failures.get(network);
    return found !== undefined && steadyMs() - found.since < WINDOW_MS ? found : undefined;
  };
  const leftS = (since: number): number => Math.max(1, Math.ceil((since + WINDOW_MS - steadyMs()) / 1_000));

  return {
    refuse: (address, failure) => {
      const network = callerOf(address);
      const found = windowOf(network);
      if (found !== undefined) {
        found.count += 1;
        return found.count > MAX_FAILURES ? tooMany(leftS(found.since)) : failure;
      }
      failures.delete(network);
      if (failures.size >= MAX_ADDRESSES) failures.delete(failures.keys().next().value as string);
      failures.set(network, { count: 1, since: steadyMs() });
      return failure;
    },
  };
};
