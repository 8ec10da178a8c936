import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseConfig, SECRET_KEYS } from '../../../../src/kernel/config.ts';
import { OperatorError } from '../../../../src/kernel/errors.ts';
import { parseConnectionString } from '../../../../src/write/log/eventstoredb/connection.ts';
import { positionOf, recordAt } from '../../../../src/write/log/eventstoredb/read.ts';

const refusal = (url: string): string => {
  try {
    parseConnectionString(url);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as Error).message;
  }
  throw new Error(`${url} was taken`);
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('an address of EventStoreDB', () => {
  it('names one node, with keep-alive that notices a frozen one', () => {
    expect(parseConnectionString('esdb://db.example.org')).toEqual({
      hosts: [{ address: 'db.example.org', port: 2113 }],
      discover: false,
      channel: { insecure: false },
      credentials: undefined,
      options: { keepAliveInterval: 10_000, keepAliveTimeout: 5_000 },
    });
  });

  it('names the nodes of a cluster, or the name under which they are found', () => {
    expect(parseConnectionString('esdb://a:1,b:2,c?tls=false')).toMatchObject({
      hosts: [
        { address: 'a', port: 1 },
        { address: 'b', port: 2 },
        { address: 'c', port: 2113 },
      ],
      channel: { insecure: true },
    });
    expect(parseConnectionString('esdb+discover://cluster.example.org:2113/')).toMatchObject({
      discover: true,
      hosts: [{ address: 'cluster.example.org', port: 2113 }],
    });
  });

  it.each([
    ['kurrentdb://ops:p%40ss@a:1,b:2?tls=false', 'esdb://ops:p%40ss@a:1,b:2?tls=false'],
    ['kurrentdb+discover://cluster.example.org:2113/', 'esdb+discover://cluster.example.org:2113/'],
  ])('is the same under the server’s present name: %s', (present, former) => {
    expect(parseConnectionString(present)).toEqual(parseConnectionString(former));
    expect(parseConfig({ EVENT_LOG_URL: present }).EVENT_LOG_URL).toBe(present);
  });

  it('has user and password, encoded where necessary, and options in any case', () => {
    const address = parseConnectionString(
      'esdb://ops:p%40ss:w@rd@a:1,b:2?NodePreference=readOnlyReplica&keepaliveinterval=20000&maxDiscoverAttempts=3',
    );
    expect(address.credentials).toEqual({ username: 'ops', password: 'p@ss:w@rd' });
    expect(address.hosts).toHaveLength(2);
    expect(address.options).toEqual({
      nodePreference: 'read_only_replica',
      keepAliveInterval: 20_000,
      keepAliveTimeout: 5_000,
      maxDiscoverAttempts: 3,
    });
  });

  it.each([
    ['esdb://', 'is not a connection string'],
    ['postgres://a', 'is not a connection string'],
    ['esdb://a b', 'host'],
    ['esdb://a:port', 'host'],
    ['esdb://hunter2@a', 'without a password'],
    ['esdb://ops:hunter2@a?tls=maybe', 'tls'],
    ['esdb://ops:hunter2@a?tlsVerifyCert=false', 'tlsVerifyCert'],
    ['esdb://ops:hunter2@a?unheard=1', 'unheard'],
    ['esdb://ops:hunter2@a?keepAliveInterval=soon', 'keepAliveInterval'],
    ['esdb://ops:hunter2@a?nodePreference=best', 'nodePreference'],
    ['esdb://ops:hunter2@a?tlsCAFile=/nowhere/ca.crt', '/nowhere/ca.crt'],
    ['esdb://ops:hunter2@a?userCertFile=package.json', 'has only one of userCertFile and userKeyFile'],
    ['esdb://ops:hunter2%E0%A4%A@a', 'percent-encoded'],
    ['esdb+discover://ops:hunter2@a,b', 'accepts one'],
    ['kurrentdb+discover://ops:hunter2@a,b', 'accepts one'],
    ['kurrent://ops:hunter2@a', 'is not a connection string'],
  ])('is refused with what is wrong, how to write it, and no secret: %s', (url, what) => {
    const printed = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(console, 'log')];
    const message = refusal(url);
    expect(message).toContain(what);
    expect(message).toContain('esdb://user:password@host:2113');
    expect(message).toContain('kurrentdb+discover://');
    expect(message).not.toContain('hunter2');
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it('is a setting that is never printed', () => {
    expect(SECRET_KEYS.has('EVENT_LOG_URL')).toBe(true);
    expect(parseConfig({ EVENT_LOG_URL: 'esdb://a:1,b:2?tls=false' }).EVENT_LOG_URL).toBe(
      'esdb://a:1,b:2?tls=false',
    );
    for (const url of [
      'http://ops:hunter2@a',
      'esdb://',
      'esdb+find://ops:hunter2@a',
      'kurrentdb+find://ops:hunter2@a',
      'esdb://ops:hunter2@a b',
    ]) {
      expect(() => parseConfig({ EVENT_LOG_URL: url })).toThrow(
        /^EVENT_LOG_URL is set to a secret value; allowed: /,
      );
    }
  });
});

describe('a position of EventStoreDB', () => {
  it('leads back to its record, from the event and from right before it, in order', () => {
    const commits = [0n, 1n, 160n, 4_611_686_018_427_387_903n];
    const positions = commits.map((commit) => positionOf(commit, commit));
    expect(positions).toEqual([1n, 3n, 321n, 2n ** 63n - 1n]);
    for (const [i, commit] of commits.entries()) {
      expect(recordAt(positions[i] as bigint)).toBe(String(commit));
      expect(recordAt((positions[i] as bigint) - 1n)).toBe(String(commit));
    }
  });

  it('is refused where events share it', () => {
    expect(() => positionOf(200n, 160n)).toThrow(/transaction/);
  });
});
