import { Writable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Logger, pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createKey, hashKey, isKey } from '../../src/write/holders/api-key.ts';
import { createTestHome } from '../support/cli.ts';
import { issued, keyIdOf, quotaOf, registerHolder, tellHolder } from '../support/holders.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

const START = '2026-11-01T00:00:00.000Z';
const HERE = '/v2/directory/x/nasa';

let program: TestProgram;

const open = async (options: Parameters<typeof createTestProgram>[0] = {}) => {
  program = await createTestProgram(options);
  await program.append('x', 'nasa', sighted('nasa', new Date().toISOString()));
  await program.project();
};

afterEach(() => program.close());

interface From {
  readonly address?: string;
  readonly forwarded?: string;
  readonly url?: string;
}

/** Calls from an address. @returns status and code. */
const call = async (key: string | undefined, { address = '127.0.0.1', forwarded, url = HERE }: From = {}) => {
  const { statusCode, headers, body } = await program.app.inject({
    url,
    remoteAddress: address,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    },
  });
  return { status: statusCode, code: JSON.parse(body).error?.code as string | undefined, headers };
};
const codeOf = async (key: string | undefined, from?: From) => {
  const { status, code } = await call(key, from);
  return [status, code];
};

const OK = [200, undefined];
const REVOKED = [401, 'key_revoked'];
const NOT_FROM_THERE = [403, 'ip_not_allowed'];

describe('a key with an expiry', () => {
  it('works until then, and the refusal says that it has expired', async () => {
    await open();
    const [key, event] = issued(START, ['directory:read']);
    await registerHolder(program, 'acme', 'growth', START);
    const expires_at = new Date(Date.now() + 1_000).toISOString();
    await tellHolder(program, 'acme', {
      type: 'KeyIssued',
      data: { ...(event as Extract<typeof event, { type: 'KeyIssued' }>).data, expires_at },
    });
    expect(await codeOf(key)).toEqual(OK);
    await until('it is over', async () => (await call(key)).status === 401);
    const { body } = await program.get('/v2/directory/x/nasa', key);
    expect(body.error).toMatchObject({ code: 'key_revoked', message: expect.stringMatching(/has expired/) });
  });
});

describe('a suspended holder', () => {
  it('is refused with each of its keys everywhere, and served again once it is resumed; others are not touched', async () => {
    await open();
    const first = await registerHolder(program, 'acme', 'growth', START);
    const [second, event] = issued(START);
    await tellHolder(program, 'acme', event);
    const other = await registerHolder(program, 'other', 'growth', START);
    expect(await codeOf(first)).toEqual(OK);
    await tellHolder(program, 'acme', { type: 'HolderSuspended', data: { at: START, why: 'unpaid' } });
    for (const key of [first, second])
      for (const url of [HERE, '/v2/', '/v2/usage'])
        expect(await codeOf(key, { url })).toEqual([403, 'holder_suspended']);
    expect(await codeOf(other)).toEqual(OK);
    await tellHolder(program, 'acme', { type: 'HolderResumed', data: { at: START } });
    expect(await codeOf(first)).toEqual(OK);
    expect(await codeOf(second)).toEqual(OK);
  });
});

describe('a rotated key', () => {
  it('works during its grace period only; its successor works from the start', async () => {
    await open();
    const key = await registerHolder(program, 'acme', 'growth', START);
    const successor = createKey();
    const graceMs = 1_500;
    await tellHolder(program, 'acme', {
      type: 'KeyRotated',
      data: {
        at: new Date().toISOString(),
        key_id: keyIdOf(key),
        successor_id: keyIdOf(successor),
        successor_hash: hashKey(successor),
        expires_at: new Date(Date.now() + graceMs).toISOString(),
      },
    });
    expect(await codeOf(key)).toEqual(OK);
    expect(await codeOf(successor)).toEqual(OK);
    await until('the grace is over', async () => (await call(key)).status === 401);
    expect(await codeOf(key)).toEqual(REVOKED);
    expect(quotaOf(await call(key))).toEqual({});
    expect(await codeOf(successor)).toEqual(OK);
  });

  it('is refused at once without grace, and its grants pass on', async () => {
    await open();
    const [key, event] = issued(START, ['directory:read']);
    await registerHolder(program, 'acme', 'growth', START);
    await tellHolder(program, 'acme', event, {
      type: 'KeyPinned',
      data: { at: START, key_id: keyIdOf(key), allowlist: ['192.0.2.0/24'] },
    });
    const successor = createKey();
    const at = new Date().toISOString();
    await tellHolder(program, 'acme', {
      type: 'KeyRotated',
      data: {
        at,
        key_id: keyIdOf(key),
        successor_id: keyIdOf(successor),
        successor_hash: hashKey(successor),
        expires_at: at,
      },
    });
    const there = { address: '192.0.2.9' };
    expect(await codeOf(key, there)).toEqual(REVOKED);
    expect(await codeOf(successor, there)).toEqual(OK);
    expect(await codeOf(successor)).toEqual(NOT_FROM_THERE);
    expect(await codeOf(successor, { ...there, url: '/v2/accounts/x/nasa' })).toEqual([403, 'scope_missing']);
  });
});

describe('a key', () => {
  it('is refused from the next refresh on once revoked, while the holder’s others work', async () => {
    await open();
    const key = await registerHolder(program, 'acme', 'growth', START);
    const [other, event] = issued(START);
    await tellHolder(program, 'acme', event);
    expect(await codeOf(key)).toEqual(OK);
    await tellHolder(program, 'acme', { type: 'KeyRevoked', data: { at: START, key_id: keyIdOf(key) } });
    expect(await codeOf(key)).toEqual(REVOKED);
    expect(await codeOf(key, { url: '/v2/nothing' })).toEqual(REVOKED);
    expect(await codeOf(other)).toEqual(OK);
  });

  it('is refused if one character differs, even with matching check digits', async () => {
    await open();
    const key = await registerHolder(program, 'acme', 'growth', START);
    const other = createKey();
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (let at = 4; at < key.length; at++) {
      const letter = alphabet[(alphabet.indexOf(key[at] as string) + 1) % 62];
      const typo = `${key.slice(0, at)}${letter}${key.slice(at + 1)}`;
      expect(isKey(typo)).toBe(false);
    }
    // The same with check digits of its own: as only somebody who means it would send.
    const digits = (body: string) => {
      let text = '';
      for (let rest = crc32(body); text.length < 6; rest = Math.floor(rest / 62))
        text = alphabet[rest % 62] + text;
      return text;
    };
    for (const at of [4, 20, 35]) {
      const letter = alphabet[(alphabet.indexOf(key[at] as string) + 1) % 62];
      const body = `${key.slice(0, at)}${letter}${key.slice(at + 1, 36)}`;
      const near = body + digits(body);
      expect(isKey(near)).toBe(true);
      expect(await codeOf(near)).toEqual([401, 'key_invalid']);
    }
    expect(await codeOf(other)).toEqual([401, 'key_invalid']);
    expect(await codeOf(key.toLowerCase())).toEqual([401, 'key_invalid']);
    expect(await codeOf(key)).toEqual(OK);
  });

  it('works from its pinned addresses, in any notation', async () => {
    await open();
    const key = await registerHolder(program, 'acme', 'growth', START);
    const pin = (...allowlist: string[]) =>
      tellHolder(program, 'acme', {
        type: 'KeyPinned',
        data: { at: START, key_id: keyIdOf(key), allowlist },
      });
    await pin('192.0.2.7/32', '198.51.100.0/25', '2001:db8:1::/48', '2001:db8:2::5/128');
    for (const address of [
      '192.0.2.7',
      '::ffff:192.0.2.7',
      '::ffff:c000:207',
      '198.51.100.0',
      '198.51.100.127',
      '2001:db8:1::1',
      '2001:0DB8:0001:ffff:ffff:ffff:ffff:ffff',
      '2001:db8:2::5',
    ]) {
      expect([address, ...(await codeOf(key, { address }))]).toEqual([address, ...OK]);
    }
    for (const address of [
      '192.0.2.8',
      '::ffff:192.0.2.8',
      '198.51.100.128',
      '127.0.0.1',
      '2001:db8:2::6',
      '2001:db8:3::',
      '::c000:207',
      '64:ff9b::192.0.2.7',
    ]) {
      expect([address, ...(await codeOf(key, { address }))]).toEqual([address, ...NOT_FROM_THERE]);
    }
    await pin('0.0.0.0/0');
    expect(await codeOf(key, { address: '203.0.113.1' })).toEqual(OK);
    expect(await codeOf(key, { address: '2001:db8::1' })).toEqual(NOT_FROM_THERE);
    await pin('::/0');
    expect(await codeOf(key, { address: '2001:db8::1' })).toEqual(OK);
    expect(await codeOf(key, { address: '203.0.113.1' })).toEqual(NOT_FROM_THERE);
    await pin();
    expect(await codeOf(key, { address: '203.0.113.1' })).toEqual(OK);
  });
});

describe('the caller’s address', () => {
  const pinned = async () => {
    const key = await registerHolder(program, 'acme', 'growth', START);
    const pin = { at: START, key_id: keyIdOf(key), allowlist: ['192.0.2.7/32'] };
    await tellHolder(program, 'acme', { type: 'KeyPinned', data: pin });
    return key;
  };

  it('is the socket’s, whatever a header says, where no proxy is trusted', async () => {
    await open();
    const key = await pinned();
    expect(await codeOf(key, { forwarded: '192.0.2.7' })).toEqual(NOT_FROM_THERE);
    expect(await codeOf(key, { address: '192.0.2.7', forwarded: '203.0.113.1' })).toEqual(OK);
  });

  it('is taken from a trusted proxy and nobody else', async () => {
    await open({ trustedProxies: ['10.0.0.1', '10.1.0.0/16'] });
    const key = await pinned();
    expect(await codeOf(key, { address: '10.0.0.1', forwarded: '192.0.2.7' })).toEqual(OK);
    expect(await codeOf(key, { address: '::ffff:10.0.0.1', forwarded: '192.0.2.7' })).toEqual(OK);
    expect(await codeOf(key, { address: '10.0.0.1', forwarded: '192.0.2.7, 10.1.2.3' })).toEqual(OK);
    expect(await codeOf(key, { address: '192.0.2.7' })).toEqual(OK);
    // What the caller wrote itself stands left of what the proxy saw.
    expect(await codeOf(key, { address: '10.0.0.1', forwarded: '192.0.2.7, 203.0.113.1' })).toEqual(
      NOT_FROM_THERE,
    );
    expect(await codeOf(key, { address: '10.0.0.2', forwarded: '192.0.2.7' })).toEqual(NOT_FROM_THERE);
    expect(await codeOf(key, { address: '203.0.113.1', forwarded: '192.0.2.7' })).toEqual(NOT_FROM_THERE);
    expect(await codeOf(key, { address: '10.0.0.1', forwarded: 'nonsense' })).toEqual(NOT_FROM_THERE);
    expect(await codeOf(key, { address: '10.0.0.1', forwarded: '' })).toEqual(NOT_FROM_THERE);
    expect(await codeOf(key, { address: '10.0.0.1' })).toEqual(NOT_FROM_THERE);
  });

  it('is parsed from a proxy’s header as strictly as from a pin', async () => {
    await open({ trustedProxies: ['10.0.0.1', 'loopback'] });
    const key = await pinned();
    for (const forwarded of [
      '192.0.2.7:443',
      '192.0.2.07',
      '192.0.519',
      '0xc0.0.2.7',
      '3221225991',
      '192.0.2.7/32',
      '[::ffff:192.0.2.7]',
      '::ffff:192.0.2.7%eth0',
      'for=192.0.2.7',
    ]) {
      expect([forwarded, ...(await codeOf(key, { address: '10.0.0.1', forwarded }))]).toEqual([
        forwarded,
        ...NOT_FROM_THERE,
      ]);
    }
    expect(await codeOf(key, { address: '10.0.0.1', forwarded: '::FFFF:c000:207' })).toEqual(OK);
    // What only looks like a trusted proxy is none: the address left of it is not believed.
    for (const proxy of ['10.0.1', '012.0.0.1', '127.1', '0x7f000001', '10.0.0.1:80']) {
      expect([
        proxy,
        ...(await codeOf(key, { address: '10.0.0.1', forwarded: `192.0.2.7, ${proxy}` })),
      ]).toEqual([proxy, ...NOT_FROM_THERE]);
    }
    expect(await codeOf(key, { address: '10.0.0.1', forwarded: '192.0.2.7, 127.0.0.1' })).toEqual(OK);
  });
});

describe('calls without a valid key', () => {
  it('are throttled by address, without affecting callers with a key', async () => {
    await open();
    const key = await registerHolder(program, 'acme', 'growth', START);
    const from = { address: '203.0.113.5' };
    const bad = () => Math.random().toString();
    const refused: (string | undefined)[] = [];
    for (let i = 0; i < 60; i++) refused.push((await call(i % 2 === 0 ? undefined : bad(), from)).code);
    expect(new Set(refused)).toEqual(new Set(['key_missing', 'key_invalid']));
    const limited = await call(bad(), from);
    expect([limited.status, limited.code]).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(quotaOf(limited)).toEqual({});
    expect((await call(undefined, { ...from, address: '::ffff:203.0.113.5' })).status).toBe(429);
    expect(await codeOf(createKey(), { ...from, url: '/v2/nothing' })).toEqual([429, 'rate_limited']);
    expect(await codeOf(key, from)).toEqual(OK);
    expect((await call(undefined, { address: '203.0.113.6' })).status).toBe(401);
  });

  it('are counted together within an IPv6 customer’s network', async () => {
    await open();
    const key = await registerHolder(program, 'acme', 'growth', START);
    const bad = (i: number) => call(undefined, { address: `2001:db8:0:1:${i.toString(16)}::1` });
    for (let i = 0; i < 60; i++) expect((await bad(i)).status).toBe(401);
    expect((await bad(61)).status).toBe(429);
    expect((await call(undefined, { address: '2001:db8:0:2::1' })).status).toBe(401);
    expect(await codeOf(key, { address: '2001:db8:0:1::1' })).toEqual(OK);
  });

  it('are counted by the caller behind a trusted proxy, not by the proxy', async () => {
    await open({ trustedProxies: ['10.0.0.1'] });
    const bad = (forwarded: string) => call(undefined, { address: '10.0.0.1', forwarded });
    for (let i = 0; i < 61; i++) await bad('203.0.113.5');
    expect((await bad('203.0.113.5')).status).toBe(429);
    expect((await bad('203.0.113.6')).status).toBe(401);
  });

  it('are counted together where the proxy’s text is no address', async () => {
    await open({ trustedProxies: ['10.0.0.1'] });
    const bad = (forwarded: string) => call(undefined, { address: '10.0.0.1', forwarded });
    for (let i = 0; i < 60; i++) expect((await bad(`nonsense ${i}`)).status).toBe(401);
    expect((await bad('203.0.113.5:61')).status).toBe(429);
    expect((await bad('203.0.113.5')).status).toBe(401);
  });
});

describe('a key as a secret', () => {
  const collect = (): { readonly lines: string[]; readonly logger: Logger } => {
    const lines: string[] = [];
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    return { lines, logger: pino({ level: 'trace' }, stream) };
  };

  it('and its hash are in no log line, answer, printed event or unrelated table', async () => {
    const { lines, logger } = collect();
    await open({ logger });
    const key = await registerHolder(program, 'acme', 'growth', START);
    const successor = createKey();
    const revoked = createKey();
    const unknown = createKey();
    const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const at = new Date().toISOString();
    await tellHolder(
      program,
      'acme',
      {
        type: 'KeyIssued',
        data: {
          at,
          key_id: keyIdOf(revoked),
          key_hash: hashKey(revoked),
          scopes: ['directory:read'],
          label: null,
        },
      },
      { type: 'KeyRevoked', data: { at, key_id: keyIdOf(revoked) } },
      {
        type: 'KeyRotated',
        data: {
          at,
          key_id: keyIdOf(key),
          successor_id: keyIdOf(successor),
          successor_hash: hashKey(successor),
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        },
      },
    );
    const keys = [key, successor, revoked, unknown, mistyped];
    const secrets = keys.flatMap((each) => [each, each.slice(4, 36).slice(-20)]);
    const hashes = keys.map(hashKey);

    // Every way in which a request can end.
    const bodies: string[] = [];
    const { find } = program.services.entries;
    const send = async (options: object, token: string) => {
      const { body, headers } = await program.app.inject({
        ...options,
        headers: { 'content-type': 'application/json', ...headersWith(token) },
      } as never);
      bodies.push(body, JSON.stringify(headers));
    };
    const headersWith = (token: string) => ({
      authorization: `Bearer ${token}`,
      'idempotency-key': 'a-key-of-the-caller',
    });
    for (const token of [...keys, `${key} `, `${key} ${key}`]) {
      await send({ url: HERE }, token);
      await send({ url: '/v2/' }, token);
      await send({ url: '/v2/nothing' }, token);
      await send({ url: '/v2/directory?limit=0' }, token);
      await send({ url: '/v2/directory/x/%E0%A4%A' }, token);
      await send({ url: '/v2/accounts/bluesky/slow.test/live' }, token);
      await send({ method: 'DELETE', url: HERE }, token);
      await send({ method: 'POST', url: '/v2/accounts/check', payload: '{' }, token);
      await send(
        {
          method: 'POST',
          url: '/v2/accounts/check',
          payload: '{"accounts":[{"platform":"x","handle":"nobody"}]}',
        },
        token,
      );
      program.services.entries.find = () => Promise.reject(new Error('broken'));
      await send({ url: HERE }, token);
      program.services.entries.find = find;
    }
    await program.services.demand.flush();
    expect(lines.some((line) => line.includes('"code":"internal"'))).toBe(true);
    expect(lines.some((line) => line.includes('request failed'))).toBe(true);

    const home = await createTestHome({ DATABASE_URL: program.database.url });
    const printed = await Promise.all([
      home.run(['events', 'read', '--json']),
      home.run(['events', 'read', '--stream', 'holder-']),
    ]);
    await home.remove();
    for (const { code, out } of printed) {
      expect(code).toBe(0);
      expect(out).toContain('KeyRotated');
    }
    const told = [...lines, ...bodies, ...printed.flatMap(({ out, err }) => [out, err])];
    for (const secret of [...secrets, ...hashes])
      expect(told.filter((text) => text.includes(secret))).toEqual([]);

    // Every row of every table, as text; bytes are hexadecimal there.
    const { rows: tables } = await program.database.db.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'm') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'log.events',
        'metering.accounts',
        'metering.usage',
        'metering.idempotent_responses',
      ]),
    );
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const withHash: string[] = [];
    let scanned = 0;
    for (const { name } of tables) {
      const { rows } = await program.database.db.query<{ row: string }>(
        `select t::text as row from ${name} t`,
      );
      scanned += rows.length;
      for (const { row } of rows) {
        for (const secret of secrets) {
          if (row.includes(secret) || row.includes(hex(secret)))
            throw new Error(`${name} holds a key: ${row}`);
        }
        if (hashes.some((hash) => row.includes(hash) || row.includes(hex(hash)))) withHash.push(name);
      }
    }
    expect(scanned).toBeGreaterThan(20);
    const schema = program.builds.schema('holders');
    expect([...new Set(withHash)].sort()).toEqual([`${schema}.keys`, 'log.events'].sort());
    const { rows } = await program.database.db.query<{ type: string }>(
      'select distinct type from log.events where data::text ~ $1 order by 1',
      [hashes.join('|')],
    );
    expect(rows.map(({ type }) => type)).toEqual(['KeyIssued', 'KeyRotated']);
  });
});
