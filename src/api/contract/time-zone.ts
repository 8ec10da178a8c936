import { type Zone, zoneOffsets } from '../../analysis/local-time.ts';
import { ServiceError } from '../../kernel/errors.ts';

/**
 * A time zone by any of its names.
 * @param path of the parameter, for errors.
 * @throws {ServiceError} `invalid_request` for an unknown time zone.
 */
export const zoneOf = (timezone: string, path: string): Zone => {
  try {
    return zoneOffsets(timezone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError('invalid_request', 'This is no time zone.', {
      details: [{ path, message: 'must be an IANA time zone, as Europe/Berlin' }],
    });
  }
};
