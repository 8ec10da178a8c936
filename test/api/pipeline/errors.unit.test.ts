import { describe, expect, it } from 'vitest';
import { errorSender, toServiceError } from '../../../src/api/pipeline/errors.ts';
import { ServiceError } from '../../../src/kernel/errors.ts';

const failed = (code: string, message = 'something inside') => Object.assign(new Error(message), { code });

describe('an error of the database', () => {
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
  ])('is service_unavailable when the database is unavailable: %s', (code) => {
    for (const error of [failed(code), new Error('a query failed', { cause: failed(code) })]) {
      const failure = toServiceError(error);
      expect([failure.code, failure.retryAfterS]).toEqual(['service_unavailable', 2]);
      expect(failure.message).not.toContain('inside');
    }
  });

  it.each(['42601', '23505', '54000', 'ERR_INVALID_ARG_TYPE', ''])('is internal otherwise: %s', (code) => {
    const failure = toServiceError(failed(code));
    expect([failure.code, failure.message]).toEqual(['internal', 'Internal error.']);
  });

  it.each(['22021', '22008', '22009', '22003', '22P05', '22P02'])(
    'is the request’s if a value is refused: %s',
    (code) => {
      const failure = toServiceError(new Error('a query failed', { cause: failed(code) }));
      expect(failure.code).toBe('invalid_request');
      expect(failure.message).not.toContain('inside');
    },
  );

  it('is logged as a warning if a value came that far', () => {
    const lines: unknown[][] = [];
    const logger = { warn: (...line: unknown[]) => lines.push(line), debug: () => undefined };
    const reply = { header: () => reply, code: () => reply, send: (body: unknown) => body };
    const request = { id: 'req_1', quota: null, routeOptions: { url: '/v2/directory' } };
    const send = errorSender(logger as never, () => undefined) as (...given: unknown[]) => unknown;
    send(failed('22021'), request, reply);
    expect(lines).toEqual([
      [
        expect.objectContaining({ request_id: 'req_1', route: '/v2/directory' }),
        'database rejected a value that passed validation',
      ],
    ]);
    send(new ServiceError('invalid_request', 'Not of the form.'), request, reply);
    expect(lines).toHaveLength(1);
  });
});
