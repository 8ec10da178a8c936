import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  describeConfig,
  originsOfSettings,
  parseConfig,
  SECRET_KEYS,
  shownValue,
} from '../../src/kernel/config.ts';
import { OperatorError } from '../../src/kernel/errors.ts';

const refusal = (env: Record<string, string>): string => {
  try {
    parseConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as Error).message;
  }
  throw new Error('it was taken');
};

const fileWith = async (text: string): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'sightline-settings-')), 'sightline.yaml');
  await writeFile(file, text);
  return file;
};

describe('the configuration', () => {
  it('has a default for everything required', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', CRAWL_MODE: 'live', CRAWL_POSTS: true });
    expect(config.SIGHTLINE_HOME).toMatch(/\/\.sightline$/);
    expect(config.DATABASE_URL).toBeUndefined();
    expect(parseConfig({ PORT: '' }).PORT).toBe(8080);
  });

  it('names the key, its value and what is allowed', () => {
    expect(refusal({ PORT: 'abc' })).toContain('PORT is "abc"; allowed: whole number from 0 to 65535');
    expect(refusal({ PORT: '70000' })).toContain('PORT is "70000"');
    expect(refusal({ LOG_LEVEL: 'loud' })).toContain('LOG_LEVEL is "loud"; allowed: trace | debug | info');
    expect(refusal({ CRAWL_RATE_PER_S: '-1' })).toContain(
      'CRAWL_RATE_PER_S is "-1"; allowed: number from 0.01 to 10000',
    );
    expect(refusal({ CRAWL_POSTS: 'perhaps' })).toContain('CRAWL_POSTS is "perhaps"; allowed: true | false');
    expect(refusal({ SIMULATOR_URL: 'ftp://x' })).toContain(
      'SIMULATOR_URL is "ftp://x"; allowed: a URL that starts with http://',
    );
    const both = refusal({ PORT: 'x', LOG_FORMAT: 'y' });
    expect(both).toContain('PORT');
    expect(both).toContain('LOG_FORMAT');
  });

  it('takes proxies only as addresses, networks or loopback', () => {
    expect(parseConfig({}).TRUSTED_PROXIES).toBeUndefined();
    for (const [good, proxies] of [
      ['loopback', ['loopback']],
      ['10.0.0.1', ['10.0.0.1/32']],
      ['loopback, 10.1.2.3/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
    ] as const) {
      expect(parseConfig({ TRUSTED_PROXIES: good }).TRUSTED_PROXIES).toEqual(proxies);
    }
    for (const bad of ['true', '1', '127.1', '10.0.0.0/33', 'loopback,', 'proxy.example.org'])
      expect(refusal({ TRUSTED_PROXIES: bad })).toContain(
        `TRUSTED_PROXIES is "${bad}"; allowed: comma-separated addresses, networks (CIDR) or loopback`,
      );
    expect(refusal({ PLAN_SET: 'C' })).toContain('PLAN_SET is "C"; allowed: A | B');
    expect(parseConfig({ PLANS_FILE: 'plans.yaml' }).PLANS_FILE).toMatch(/^\/.*\/plans\.yaml$/);
  });

  it('never shows a secret, even an invalid one', () => {
    expect(refusal({ DATABASE_URL: 'mysql://root:hunter2@db' })).not.toContain('hunter2');
  });

  it('describes every key', () => {
    for (const row of describeConfig()) {
      expect(row.about.length, row.key).toBeGreaterThan(10);
      expect(row.allowed, row.key).not.toBe('');
    }
  });
});

describe('displayed settings', () => {
  it('have no secret, credentials or query of an address', () => {
    const config = parseConfig({
      MARKETPLACE_URL: 'https://user:pass@market.example/api/v1/listings?token=abc#x',
      SIMULATOR_URL: 'http://127.0.0.1:4000/?key=def',
      X_BEARER_TOKEN: 'ghi',
      PORT: '9000',
    });
    expect(shownValue(config, 'MARKETPLACE_URL')).toBe(
      'https://market.example/api/v1/listings (credentials and query not shown)',
    );
    expect(shownValue(config, 'SIMULATOR_URL')).toBe(
      'http://127.0.0.1:4000/ (credentials and query not shown)',
    );
    expect(shownValue(config, 'X_BEARER_TOKEN')).toBe('(set, not shown)');
    expect(shownValue(config, 'PORT')).toBe('9000');
    const plain = parseConfig({ MARKETPLACE_URL: 'https://market.example/listings' });
    expect(shownValue(plain, 'MARKETPLACE_URL')).toBe('https://market.example/listings');
    expect(shownValue(plain, 'KAFKA_BROKERS')).toBe('');
  });

  it('have none in a refusal either', () => {
    const message = refusal({ MARKETPLACE_URL: 'http://user:pass@market.example/listings?token=abc' });
    expect(message).toContain('MARKETPLACE_URL is');
    for (const secret of ['abc', 'pass']) expect(message).not.toContain(secret);
  });
});

describe('a secret in a file', () => {
  const inFile = async (text: string): Promise<string> => {
    const path = join(await mkdtemp(join(tmpdir(), 'secret-')), 'value');
    await writeFile(path, text);
    return path;
  };

  it.each([...SECRET_KEYS])('is read as %s', async (key) => {
    const value = { DATABASE_URL: 'postgres://a:b@c/d', READ_DATABASE_URL: 'postgres://a:b@c/d' }[
      key as string
    ];
    const usual = value ?? { EVENT_LOG_URL: 'esdb://a:2113?tls=false' }[key as string] ?? 'x'.repeat(20);
    const isSealing = key === 'SESSIONS_KEY' || key === 'ERASURE_KEY';
    const text = isSealing ? Buffer.alloc(32).toString('base64') : usual;
    const parse = (env: Record<string, string>) => parseConfig({ KAFKA_BROKERS: 'k:9092', ...env })[key];
    expect(parse({ [`${key}_FILE`]: await inFile(`${text}\n`) })).toEqual(parse({ [key]: text }));
    await expect(async () =>
      parseConfig({ [key]: text, [`${key}_FILE`]: await inFile(text) }),
    ).rejects.toThrow('both set');
    expect(() => parseConfig({ [`${key}_FILE`]: '/nowhere' })).toThrow(`${key}_FILE is "/nowhere"`);
  });

  it('is the password of every database whose address has none', () => {
    const { DATABASE_URL, READ_DATABASE_URL } = parseConfig({
      DATABASE_PASSWORD: 'p@ss/w%rd',
      DATABASE_URL: 'postgres://me@db:5432/sightline',
      READ_DATABASE_URL: 'postgres://me:own@replica:5432/sightline',
    });
    expect(DATABASE_URL).toBe('postgres://me:p%40ss%2Fw%25rd@db:5432/sightline');
    expect(READ_DATABASE_URL).toBe('postgres://me:own@replica:5432/sightline');
  });
});

describe('a misspelt name', () => {
  const keys = describeConfig().map(({ key }) => key);
  const isKnown = (name: string) =>
    (keys as readonly string[]).includes(name) || SECRET_KEYS.has(name.replace(/_FILE$/, '') as never);
  const slips = (key: string): readonly string[] =>
    [
      key.slice(0, -1),
      `${key}S`,
      key.slice(0, 2) + key.slice(3),
      key.replace('_', ''),
      `${key.slice(0, 3)}X${key.slice(4)}`,
    ].filter((name) => name.length >= 5 && !isKnown(name));

  it.each(keys)('of %s is refused in the environment and in the file, with the nearest', async (key) => {
    for (const slip of slips(key)) {
      const said = refusal({ [slip]: '1' });
      expect(said).toMatch(new RegExp(`^${slip} is no setting\\. Did you mean [A-Z_]+\\?$`));
      expect(refusal({ SIGHTLINE_CONFIG: await fileWith(`${slip}: 1`) })).toContain(said);
    }
  });

  it('of any length is refused in the file, whose lines are all settings', async () => {
    expect(refusal({ SIGHTLINE_CONFIG: await fileWith('PROT: 9000\nLOUDNESS: 3') })).toMatch(
      /PROT is no setting\. Did you mean PORT\?\n.*LOUDNESS is no setting/,
    );
  });

  it('is none where another program’s variable is merely alike', () => {
    for (const name of [
      'PATH',
      'HOME',
      'HOSTNAME',
      'SHELL',
      'HTTP_PROXY',
      'KAFKA_HEAP_OPTS',
      'SIGHTLINE_PORT',
      'SIGHTLINE_CLOCK',
      'PGPASSWORD',
      'NODE_OPTIONS',
    ])
      expect(parseConfig({ [name]: '1' }).PORT).toBe(8080);
  });
});

describe('the file of settings', () => {
  it('gives what the environment does not, and every kind of value as the environment has it', async () => {
    const SIGHTLINE_CONFIG = await fileWith(
      'PORT: 9000\nREAD_FALLBACK: true\nLOG_LEVEL: debug\nKAFKA_BROKERS: [a:9092, b:9092]\nHOST:\n',
    );
    const env = { SIGHTLINE_CONFIG, LOG_LEVEL: 'warn' };
    expect(parseConfig(env)).toMatchObject({
      PORT: 9000,
      READ_FALLBACK: true,
      LOG_LEVEL: 'warn',
      KAFKA_BROKERS: ['a:9092', 'b:9092'],
      HOST: '127.0.0.1',
    });
    expect(originsOfSettings(env)).toMatchObject({ PORT: 'file', LOG_LEVEL: 'environment', HOST: 'default' });
  });

  it('is checked like the environment, and refused if it can’t be read', async () => {
    expect(refusal({ SIGHTLINE_CONFIG: await fileWith('PORT: many') })).toContain('PORT is "many"; allowed');
    expect(refusal({ SIGHTLINE_CONFIG: '/nowhere.yaml' })).toContain("/nowhere.yaml can't be read");
    expect(refusal({ SIGHTLINE_CONFIG: await fileWith('PORT: [') })).toContain("can't be read");
    expect(refusal({ SIGHTLINE_CONFIG: await fileWith('- PORT') })).toContain('a line per setting');
    expect(refusal({ SIGHTLINE_CONFIG: await fileWith('PORT: {a: 1}') })).toContain('PORT is none');
  });
});

describe('retention', () => {
  it.each(['RETENTION_POSTS', 'RETENTION_EDGES', 'RETENTION_HISTORY'])(
    'of %s is refused where nothing can be removed from the log',
    (key) => {
      expect(parseConfig({ [key]: '30' })).toMatchObject({ [key]: 30 });
      expect(() => parseConfig({ [key]: '30', EVENT_LOG_URL: 'esdb://localhost:2113' })).toThrow(
        `${key} needs the log in Postgres`,
      );
    },
  );
});
