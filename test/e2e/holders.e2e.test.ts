import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKey } from '../../src/write/holders/api-key.ts';
import { createTestHome, type Finished, type TestHome } from '../support/cli.ts';

let home: TestHome;
/** The service that keeps the home's Postgres up: commands beside it need not start one each. */
let stopService: () => Promise<number | null>;

beforeAll(async () => {
  home = await createTestHome({ PORT: '0', CRAWL_MODE: 'replay', LOG_FORMAT: 'json' });
  const service = home.start(['start']);
  await service.says(/"api":"http/);
  stopService = () => service.end('SIGTERM');
});

afterAll(async () => {
  await stopService();
  await home.remove();
});

const good = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await home.run(args, { COLUMNS: '200' });
  expect([code, err.includes('sightline:')], `${args.join(' ')}\n${err}`).toEqual([0, false]);
  return out.trim();
};

const refused = async (says: RegExp, ...args: string[]): Promise<void> => {
  const { code, out, err } = await home.run(args, { COLUMNS: '200' });
  expect([code, out], `${args.join(' ')}\n${err}`).toEqual([2, '']);
  expect(err.trim()).toMatch(says);
  expect(err, 'no stack').not.toContain('    at ');
};

// biome-ignore lint/suspicious/noExplicitAny: each test states what an answer has
const json = async (...args: string[]): Promise<any> => JSON.parse(await good(...args, '--json'));

/** What `keys list` says of one key. */
const keyOf = async (keyId: string) =>
  (await json('keys', 'list', 'acme')).find((key: { key_id: string }) => key.key_id === keyId);

describe('plans', () => {
  it('are shown, with values borrowed by set B marked', async () => {
    const a = await good('plans', 'show');
    expect(a).toMatch(/Plan set A[\s\S]*growth[^\n]*249\.00[^\n]*150,000[^\n]*600[^\n]*0\.0035/);
    expect(a).not.toContain('*');
    const b = await home.run(['plan', 'show'], { PLAN_SET: 'B' });
    expect(b.out).toMatch(/starter[^\n]*69\.00\*[^\n]*25,000 [^\n]*120\*[^\n]*0\.002 /);
    expect(b.out).toMatch(/^\* Set B does not state this figure: set A lends it\.$/m);
    const { source, plans } = await json('plans', 'show');
    expect([source, plans.length, plans[0].inherited]).toEqual(['A', 5, []]);
  });

  it('of a file are shown, and its mistakes named', async () => {
    const file = join(home.home, 'plans.yaml');
    const text = `plans:
  - name: solo
    price_usd: "9.90"
    units: 500
    requests_per_minute: 30
    live_per_minute: 5
    keys: 2
    overage_usd: null
    weights: { catalog: 1, live: 10 }
    scopes: [accounts:read]
`;
    const show = async (contents: string): Promise<Finished> => {
      await writeFile(file, contents);
      return home.run(['plans', 'show'], { PLANS_FILE: file });
    };
    expect((await show(text)).out).toMatch(/Plans of \/.*plans\.yaml[\s\S]*solo[^\n]*9\.90/);
    const bad = await show(text.replace('units: 500', 'units: many'));
    expect([bad.code, bad.out]).toEqual([2, '']);
    expect(bad.err.trim()).toBe(
      `sightline: ${file}:4: plans[0].units is "many"; allowed: a whole number from 0 to 1000000000`,
    );
    const missing = await home.run(['plans', 'show'], { PLANS_FILE: '/nowhere.yaml' });
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining('PLANS_FILE is "/nowhere.yaml"'),
    ]);
  });
});

describe('holders', () => {
  it('are added on a plan, and moved to another', async () => {
    expect(await good('holders', 'add', 'Acme', '--plan', 'starter')).toBe('acme');
    await refused(/holder acme already.*--id/, 'holders', 'add', 'Acme');
    await refused(/no plan gold.*free, starter/, 'holders', 'add', 'Other', '--plan', 'gold');
    await refused(/no holder id/, 'holders', 'add', 'Other', '--id', 'Not An Id');
    expect(await good('holders', 'add', 'Beta')).toBe('beta');
    expect(await good('plan', 'set', 'acme', 'scale')).toMatch(
      /^acme is on scale from .*new period of 30 days/,
    );
    expect(await good('plans', 'set', 'acme', 'scale')).toBe('acme is on scale already.');
    await refused(/no plan gold/, 'plan', 'set', 'acme', 'gold');
    await refused(/no holder nobody/, 'plan', 'set', 'nobody', 'free');
    const listed = await json('holders', 'list');
    expect(listed.map((row: { holder: string; plan: string }) => [row.holder, row.plan])).toEqual([
      ['acme', 'scale'],
      ['beta', null],
    ]);
    expect(await good('holders', 'list')).toMatch(/beta[^\n]*free \(none was chosen\)/);
    await refused(/no holder nobody.*holders list/, 'holders', 'show', 'nobody');
  });

  it('have overage with a cap, and a wallet that accepts a payment once', async () => {
    expect(await good('overage', 'on', 'acme', '--cap', '50')).toBe(
      'Overage of acme is on, up to 50.00 dollars a period.',
    );
    expect(await good('overage', 'on', 'acme', '--cap', '$50.00')).toContain('is on already');
    await refused(/"fifty" is no amount/, 'overage', 'on', 'acme', '--cap', 'fifty');
    await refused(/more than 0/, 'overage', 'on', 'acme', '--cap', '0');
    await refused(/plan free has no overage/, 'overage', 'on', 'beta');
    const credit = ['wallet', 'credit', 'acme', '25.5', '--reference', 'inv-1'];
    expect(await good(...credit)).toBe('25.50 dollars are credited to acme.');
    expect(await good(...credit)).toBe('inv-1 was credited to acme already: nothing has changed.');
    await refused(/inv-1 was credited with 25\.50/, 'wallet', 'credit', 'acme', '26', '--reference', 'inv-1');
    await refused(/"1,000" is no amount/, 'wallet', 'credit', 'acme', '1,000');
    expect(await json('holders', 'show', 'acme')).toMatchObject({
      plan: 'scale',
      overage_on: true,
      cap_micro_usd: '50000000',
      credit_micro_usd: '25500000',
    });
    const shown = await good('holders', 'show', 'acme');
    expect(shown).toMatch(/overage[^\n]*on, up to 50\.00 dollars a period/);
    expect(shown).toMatch(/credited to the wallet[^\n]*25\.50 dollars/);
  });
});

describe('keys', () => {
  let first: string;
  let successor: string;

  it('are issued with the plan’s scopes, except those that must be named', async () => {
    const { key, key_id } = await json('keys', 'issue', 'acme');
    first = key_id;
    expect(isKey(key)).toBe(true);
    const listed = await keyOf(first);
    expect(listed).toMatchObject({ state: 'in_use', allowlist: [], replaced_by: null });
    expect(listed.scopes).toContain('tools:run');
    expect(listed.scopes).not.toContain('leads:read');
    await refused(/"leads:write" is no scope/, 'keys', 'issue', 'acme', '--scopes', 'leads:write');
    await refused(
      /does not include leads:read.*plan set beta scale/,
      'keys',
      'issue',
      'beta',
      '--scopes',
      'leads:read',
    );
    await refused(/no holder nobody/, 'keys', 'issue', 'nobody');
    await good('keys', 'issue', 'beta');
    await refused(/1 keys in use, and the plan free allows 1/, 'keys', 'issue', 'beta');
  });

  it('are pinned to addresses, and unpinned', async () => {
    expect(await good('keys', 'pin', first, '203.0.113.7', '10.1.2.3/8')).toContain(
      `${first} is accepted from 203.0.113.7/32 10.0.0.0/8, for accounts:read`,
    );
    await refused(/"127\.1" is not an address/, 'keys', 'pin', first, '127.1');
    expect((await keyOf(first)).allowlist).toEqual(['203.0.113.7/32', '10.0.0.0/8']);
    expect(await good('keys', 'unpin', first)).toContain('is accepted from every address');
    expect(await good('keys', 'unpin', first)).toContain('Nothing has changed.');
    await good('keys', 'pin', first, '::1');
  });

  it('are granted scopes by name, and lose them', async () => {
    expect(await good('keys', 'grant', first, 'leads:read')).toContain('leads:read');
    expect((await keyOf(first)).scopes).toContain('leads:read');
    expect(await good('keys', 'ungrant', first, 'leads:read', 'tools:run')).not.toMatch(
      /leads:read|tools:run/,
    );
    await refused(/"leads" is no scope/, 'keys', 'grant', first, 'leads');
  });

  it('are rotated with a grace period', async () => {
    const before = await keyOf(first);
    const { key, key_id, replaces } = await json('keys', 'rotate', first, '--grace', '24h');
    successor = key_id;
    expect(isKey(key)).toBe(true);
    expect(await keyOf(successor)).toMatchObject({
      state: 'in_use',
      scopes: before.scopes,
      allowlist: ['::1/128'],
    });
    const old = await keyOf(first);
    expect(old).toMatchObject({ state: 'in_grace', replaced_by: successor, expires_at: replaces.expires_at });
    expect(Date.parse(old.expires_at) - Date.parse((await keyOf(successor)).issued_at)).toBe(86_400_000);
    await refused(new RegExp(`rotated to ${successor} already`), 'keys', 'rotate', first);
    await refused(/--grace is "a day"/, 'keys', 'rotate', successor, '--grace', 'a day');
    await refused(/at most 30 days/, 'keys', 'rotate', successor, '--grace', '31d');
    await refused(/no key key_none.*keys list/, 'keys', 'rotate', 'key_none');
    const table = await good('keys', 'list', 'acme');
    expect(table).toMatch(/in grace until/);
    expect(table).not.toContain(key);
  });

  it('are revoked, also during their grace period', async () => {
    expect(await good('keys', 'revoke', first)).toBe(`${first} is revoked.`);
    expect(await good('keys', 'revoke', first)).toBe(`${first} was revoked already.`);
    expect(await keyOf(first)).toMatchObject({ state: 'revoked' });
    await refused(/is revoked/, 'keys', 'pin', first, '::1');
  });

  it('beyond a lower plan’s limit are named, and revoked on request', async () => {
    const { key_id: second } = await json('keys', 'issue', 'acme', '--scopes', 'accounts:read');
    await refused(
      new RegExp(`allows 1 keys in use, and acme has 2.*${second}`),
      'plan',
      'set',
      'acme',
      'free',
    );
    expect(await good('plan', 'set', 'acme', 'free', '--revoke-surplus')).toContain(`${second} is revoked.`);
    expect(await keyOf(second)).toMatchObject({ state: 'revoked' });
    // What the plan has no more stays as it was set.
    expect(await keyOf(successor)).toMatchObject({ state: 'in_use', allowlist: ['::1/128'] });
    expect(await good('holders', 'show', 'acme')).toMatch(
      /on, up to 50\.00[^\n]*no effect: free has no overage/,
    );
    await refused(/plan free has no IP allowlists.*plan set acme growth/, 'keys', 'pin', successor, '::2');
    expect(await good('overage', 'off', 'acme')).toBe('Overage of acme is off.');
  });

  it('have no hash in the printed log', async () => {
    const events = await good('events', 'read', '--stream', 'holder-acme', '--json');
    expect(events).toContain('"successor_hash":"[redacted]"');
    expect(events).toContain('"key_hash":"[redacted]"');
    expect(events).not.toMatch(/[0-9a-f]{64}/);
  });
});
