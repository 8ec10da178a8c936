import { describe, expect, it } from 'vitest';
import { RememberedRefusals } from '../../../src/api/endpoints/tools/audit-refusals.ts';
import { ServiceError } from '../../../src/kernel/errors.ts';

const refusal = new ServiceError('insufficient_data', 'The sample has 2 of 30 accounts.', {
  details: [{ path: 'accounts', message: 'has 2, needs 30' }],
});
const MINUTE_MS = 60_000;

describe('refusals of tools that read platforms', () => {
  it('are repeated with their details for ten minutes, and not afterwards', () => {
    const refusals = new RememberedRefusals();
    refusals.note('a', refusal, 0);
    expect(() => refusals.check('a', 10 * MINUTE_MS - 1)).toThrow(
      expect.objectContaining({ code: 'insufficient_data', details: refusal.details }),
    );
    expect(() => refusals.check('b', 0)).not.toThrow();
    expect(() => refusals.check('a', 10 * MINUTE_MS)).not.toThrow();
  });

  it('do not include failures of a platform: the next call reads again', () => {
    const refusals = new RememberedRefusals();
    refusals.note('a', new ServiceError('platform_timeout', 'The platform timed out.'), 0);
    refusals.note('b', new Error('unexpected'), 0);
    expect(() => refusals.check('a', 0)).not.toThrow();
    expect(() => refusals.check('b', 0)).not.toThrow();
  });

  it('are forgotten oldest first beyond 10,000', () => {
    const refusals = new RememberedRefusals();
    for (let n = 0; n <= 10_000; n++) refusals.note(`q${n}`, refusal, 0);
    expect(() => refusals.check('q0', 0)).not.toThrow();
    expect(() => refusals.check('q1', 0)).toThrow();
    expect(() => refusals.check('q10000', 0)).toThrow();
  });
});
