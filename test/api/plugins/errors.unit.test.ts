import { describe, expect, it } from 'vitest';
import { failureFrom } from '../../../src/api/plugins/errors.ts';

const failed = (code: string, message = 'something inside') => Object.assign(new Error(message), { code });

describe('what the database fails with', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    '08006',
    '40001',
    '40P01',
    '53300',
    '57014',
    '57P01',
    '25006',
  ])('is no fault of the request’s or ours where it is away: %s', (code) => {
    for (const error of [failed(code), new Error('a query failed', { cause: failed(code) })]) {
      const failure = failureFrom(error);
      expect([failure.code, failure.retryAfterS]).toEqual(['service_unavailable', 2]);
      expect(failure.message).not.toContain('inside');
    }
  });

  it.each(['42601', '23505', '22003', 'ERR_INVALID_ARG_TYPE', ''])('is ours where it is not: %s', (code) => {
    const failure = failureFrom(failed(code));
    expect([failure.code, failure.message]).toEqual(['internal', 'Something failed on our side.']);
  });
});
