import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { createSimClock } from '../../infra/simulator/world/clock.ts';
import { commandGroups } from '../../src/cli/groups.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import type { EventLog, RecordedEvent } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = Date.UTC(2026, 9, 1);

const folder = mkdtempSync(join(tmpdir(), 'sightline-recorded-'));
let database: TestDatabase;
let log: EventLog;
let simulator: Simulator;
beforeAll(async () => {
  database = await createTestDatabase(4, 'built');
  log = withValidation(createPostgresLog(database.db, database.url, silentLogger), eventTypes);
  simulator = await startSimulator({ seed: 3, size: 40, clock: createSimClock({ now: NOW, speed: 0 }) });
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('SIMULATOR_URL', simulator.url);
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('SESSIONS_KEY', Buffer.alloc(32, 1).toString('base64'));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await simulator.close();
  await log.close();
  await database.drop();
});

const run = async (args: readonly string[]): Promise<readonly RecordedEvent[]> => {
  const before = await log.head();
  const program = new Command('sightline').exitOverride();
  for (const group of await commandGroups(args)) program.addCommand(group);
  await program.parseAsync(args, { from: 'user' });
  const events: RecordedEvent[] = [];
  for await (const page of log.readAll(before)) events.push(...page.events);
  return events;
};

it('whatever a command causes says which user of the system ran it, and why', { tags: 'long' }, async () => {
  const session = join(folder, 'session.json');
  writeFileSync(session, JSON.stringify({ bearer_token: 'b', auth_token: 'a', ct0: 'c' }));
  const listings = join(folder, 'listings.ndjson');
  writeFileSync(
    listings,
    `${JSON.stringify({ id: '1', platform: 'x', handle: 'nasa', price_usd: '10.00' })}\n`,
  );
  const [seed = ''] = seedsOf(simulator.world, 'x', 1, NOW);
  const keyId = async (): Promise<string> => {
    const issued = await log.readStream('holder-acme', { direction: 'backwards' });
    const [key] = issued.flatMap(({ type, data }) =>
      type === 'KeyIssued' ? [data as { key_id: string }] : [],
    );
    return key?.key_id ?? '';
  };
  const commands: (readonly string[] | (() => Promise<readonly string[]>))[] = [
    ['holders', 'add', 'Acme'],
    ['plans', 'set', 'acme', 'scale'],
    ['keys', 'issue', 'acme'],
    async () => ['keys', 'pin', await keyId(), '10.0.0.0/8'],
    async () => ['keys', 'unpin', await keyId()],
    async () => ['keys', 'rotate', await keyId()],
    async () => ['keys', 'revoke', await keyId()],
    ['overage', 'on', 'acme', '--cap', '5'],
    ['wallet', 'credit', 'acme', '10', '--reference', 'invoice 7'],
    ['seeds', 'add', 'x', seed],
    ['pools', 'create', 'press', '--platform', 'x', '--rule', 'seed'],
    ['pools', 'add', 'press', 'nasa'],
    ['seeds', 'add', 'x', 'esa'],
    ['pools', 'move', 'press', 'esa'],
    ['pools', 'remove', 'press', 'esa'],
    ['pools', 'tune', 'press', '--share', '7'],
    ['pools', 'expand', 'press', '--share', '8'],
    ['pools', 'pause', 'press'],
    ['pools', 'resume', 'press'],
    ['pools', 'retire', 'press', '--heir', 'seed-x'],
    ['pools', 'reopen', 'press'],
    ['engines', 'pause', 'x'],
    ['engines', 'resume', 'x'],
    ['engines', 'tune', 'x', '--rate', '50'],
    ['crawl', 'x', seed],
    ['sessions', 'add', 'x', '--label', 'first', '--file', session],
    ['sessions', 'remove', 'first'],
    ['secrets', 'rotate', 'verification'],
    ['marketplace', 'import', listings, '--source', 'market.example'],
    ['research', 'run'],
    ['research', 'limits', '--observe-only'],
    ['overage', 'off', 'acme'],
    ['holders', 'suspend', 'acme'],
    ['holders', 'resume', 'acme'],
    ['keys', 'issue', 'acme', '--expires', '90d'],
    ['projections', 'rebuild', 'holders'],
    ['projections', 'rebuild', 'holders', '--into', 'night'],
    ['projections', 'drop', 'night'],
  ];
  const actor = `local:${userInfo().username}`;
  for (const command of commands) {
    const args = typeof command === 'function' ? await command() : command;
    const events = await run([...args, '--reason', `because of ${args[1]}`]);
    expect(events.length, args.join(' ')).toBeGreaterThan(0);
    for (const { type, metadata } of events)
      expect({ args, type, metadata }).toEqual({
        args,
        type,
        metadata: expect.objectContaining({ actor, reason: `because of ${args[1]}` }),
      });
  }
});

it('a command without a reason says who ran it', async () => {
  const events = await run(['holders', 'add', 'Silent']);
  expect(events.map(({ metadata }) => metadata)).toEqual(
    events.map(() => ({ actor: `local:${userInfo().username}` })),
  );
});
