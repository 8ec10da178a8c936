import { ServiceError } from '../../../kernel/errors/service-error.ts';
import { type Zone, zoneOffsets } from '../../../read/analysis/local-time.ts';

/** @throws {ServiceError} `invalid_request` for an unknown time zone. */
export const zoneOf = (timezone: string): Zone => {
  try {
    return zoneOffsets(timezone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError('invalid_request', 'This is no time zone.', {
      details: [{ path: 'query.timezone', message: 'must be an IANA time zone, as Europe/Berlin' }],
    });
  }
};
