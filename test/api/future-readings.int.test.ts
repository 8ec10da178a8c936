import { expect, it, onTestFinished } from 'vitest';
import { isoOf, systemClock } from '../../src/kernel/clock.ts';
import { createTestProgram, sighted, unchanged } from '../support/program.ts';

const DAY_MS = 86_400_000;

it('a reading of a host whose clock was a day ahead has its true age, and gives way to the next', async () => {
  const program = await createTestProgram();
  onTestFinished(() => program.close());
  const key = await program.issueKey();
  const now = systemClock.now();
  await program.append('x', 'nasa', sighted('nasa', isoOf(now + DAY_MS), { followers: 1 }));
  // The log has had it for an hour.
  await program.database.db.query(`update log.events set recorded_at = recorded_at - interval '1 hour'`);
  await program.project();
  for (const path of ['/v2/accounts/x/nasa', '/v2/directory/x/nasa']) {
    const { status, body } = await program.get(path, key);
    expect(status).toBe(200);
    expect(Math.abs(body.meta.cache_age_s - 3_600)).toBeLessThan(120);
  }
  await program.append('x', 'nasa', unchanged(isoOf(now), { followers: 2 }));
  await program.project();
  for (const path of ['/v2/accounts/x/nasa', '/v2/directory/x/nasa']) {
    const { body } = await program.get(path, key);
    expect(body.data.followers).toBe(2);
    expect(body.meta.cache_age_s).toBeLessThan(120);
  }
});
