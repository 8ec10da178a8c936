import { describe, expect, it } from 'vitest';
import { describeRefusal } from '../../../src/cli/render/remedies.ts';
import { OperatorError, type OperatorErrorCode } from '../../../src/kernel/errors.ts';

const refusal = (code: OperatorErrorCode, params: Record<string, string> = {}) =>
  describeRefusal(new OperatorError(code, 'It is refused.', { params }));

describe('a refusal on a terminal', () => {
  it.each([
    ['holder_unknown', {}, 'sightline holders list'],
    ['plan_inactive', { holder: 'acme', plan: 'gone' }, 'sightline plan set acme <plan>'],
    ['plan_key_limit', { surplus: 'key_3, key_2' }, '--revoke-surplus: key_3, key_2'],
    ['scope_not_on_plan', { holder: 'acme', plan: 'starter' }, 'sightline plan set acme starter'],
    ['key_unknown', { keyId: 'key_1' }, 'sightline keys list'],
    ['key_rotated', { keyId: 'key_1', successor: 'key_2' }, 'key_2'],
    ['scopes_left_empty', { keyId: 'key_1' }, 'sightline keys revoke key_1'],
    ['addresses_missing', { keyId: 'key_1' }, 'sightline keys unpin key_1'],
    ['copy_exists', { schema: 'before', copy: 'true' }, 'sightline projections drop before'],
    ['source_refused', { host: 'market.example' }, 'MARKETPLACE_HOSTS=market.example'],
    ['source_refused', {}, 'Name a file by its path.'],
    ['follow_requests_forbidden', {}, 'FOLLOWS_REQUESTS_PER_DAY=1000'],
    ['stream_not_parked', { stream: 'account-x:nasa' }, 'sightline projections parked list'],
  ] as const)('%s says what to type next', (code, params, command) => {
    expect(refusal(code, params)).toMatch(/^It is refused\. /);
    expect(refusal(code, params)).toContain(command);
  });

  it('has its remedy on a separate line where the message does not end as a sentence', () => {
    const invalid = new OperatorError('setting_invalid', 'PORT is "none"; allowed: a port');
    expect(describeRefusal(invalid)).toBe(
      'PORT is "none"; allowed: a port\nList all settings with: sightline config',
    );
  });

  it('has no remedy that its parameters cannot fill, and none that repeats the message', () => {
    expect(refusal('scope_not_on_plan', { holder: 'acme' })).toBe('It is refused.');
    expect(refusal('time_invalid')).toBe('It is refused.');
  });
});
