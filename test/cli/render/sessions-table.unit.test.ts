import { expect, it } from 'vitest';
import { sessionsTable } from '../../../src/cli/commands/sessions.ts';

const session = {
  id: 'ses_44b6099613536101',
  platform: 'x',
  label: 'first-session-of-the-operator',
  proxy: 'proxy-in-europe-1',
  created_at: '2026-11-22T12:00:00.000Z',
  status: 'active',
  rejections: 0,
  resting_until: null,
  retired_at: null,
  reason: null,
  last_used_at: '2026-11-22T12:34:56.000Z',
  operations: [{ operation: 'UserTweets', used: 3, capacity: null, resets_at: null, resting_until: null }],
} as const;

it('a narrow table of sessions shortens labels but never ids, which other commands take', () => {
  const table = sessionsTable([session], 70);
  expect(table).toContain('…');
  expect(table).toContain('ses_44b6099613536101');
  expect(table).toContain('UserTweets');
});
