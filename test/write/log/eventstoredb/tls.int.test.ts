import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { openEventLog } from '../../../../src/write/log/open-event-log.ts';
import { certificatesLack, createAuthority } from '../../../support/certificates.ts';
import { numbered, numbersOf, upTo } from '../../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../../support/eventstore/server.ts';

const lacks = certificatesLack();
if (lacks !== null) console.log(`skipped, as ${lacks}: an event log in EventStoreDB over TLS`);

describe.skipIf(lacks !== null)('an event log over TLS', () => {
  let authority: ReturnType<typeof createAuthority>;
  let other: ReturnType<typeof createAuthority>;
  let node: TestNode;

  beforeAll(() => {
    authority = createAuthority();
    other = createAuthority();
  });
  afterEach(() => node.close());
  afterAll(() => {
    authority.remove();
    other.remove();
  });

  const urlOf = (host: string, ca = authority.file) =>
    `esdb://${host}:${node.endpoint.port}?tls=true&tlsCAFile=${ca}&keepAliveInterval=250&keepAliveTimeout=250`;

  const open = (url: string) =>
    openEventLog({ EVENT_LOG_URL: url }, { db: undefined as never, url: '' }, silentLogger);

  it.each([
    ['name', 'localhost', 'DNS:localhost'],
    ['address', '127.0.0.1', 'IP:127.0.0.1'],
  ])('reaches a node by its %s if the certificate has it', async (_, host, names) => {
    node = await openNode({ tls: authority.issue(names) });
    const log = await open(urlOf(host));
    await log.append('account-x:a', numbered(3), 'any');
    expect(numbersOf(await log.readStream('account-x:a'))).toEqual(upTo(3));
    await log.close();
  });

  it('reaches nodes of a cluster that are advertised by address', async () => {
    node = await openNode({ tls: authority.issue('DNS:localhost,IP:127.0.0.1') });
    const log = await open(urlOf('localhost').replace('esdb://', 'esdb+discover://'));
    await log.append('account-x:a', numbered(2), 'any');
    expect(node.calls.get('gossip')).toBeGreaterThan(0);
    await log.close();
  });

  it.each([
    [
      'another authority signed',
      () => authority.issue('IP:127.0.0.1,DNS:localhost'),
      () => other.file,
      /unknown authority .*unable to verify.*set tlsCAFile/,
    ],
    [
      'has another address',
      () => authority.issue('IP:127.0.0.2'),
      () => authority.file,
      /altnames|does not match|IP: 127\.0\.0\.1/,
    ],
    [
      'has a name only',
      () => authority.issue('DNS:localhost'),
      () => authority.file,
      /altnames|does not match|IP: 127\.0\.0\.1/,
    ],
    [
      'is out of date',
      () => authority.issue('IP:127.0.0.1', ['20200101000000Z', '20200201000000Z']),
      () => authority.file,
      /expired/,
    ],
  ])(
    'refuses a node whose certificate %s, and says so',
    { tags: 'long' },
    async (_, certificate, ca, why) => {
      node = await openNode({ tls: certificate() });
      await expect(open(urlOf('127.0.0.1', ca()))).rejects.toThrow(why);
    },
  );

  it.each([
    ['one node', (port: number) => `esdb://localhost:${port}`],
    ['a cluster by its nodes', (port: number) => `esdb://localhost:${port},127.0.0.1:${port}`],
    ['a cluster by its name', (port: number) => `kurrentdb+discover://localhost:${port}`],
  ])(
    'names tlsCAFile as the remedy where %s was signed by an unknown authority',
    { tags: 'long' },
    async (_, hosts) => {
      node = await openNode({ tls: authority.issue('IP:127.0.0.1,DNS:localhost') });
      for (const ca of ['', `&tlsCAFile=${other.file}`]) {
        const url = `${hosts(node.endpoint.port)}?tls=true&maxDiscoverAttempts=1${ca}`;
        const opening = open(url);
        await expect(opening).rejects.toThrow(/unknown authority .*set tlsCAFile in EVENT_LOG_URL/);
        await expect(opening).rejects.not.toThrow(/tls=false|Failed to discover/);
      }
      const log = await open(`${hosts(node.endpoint.port)}?tls=true&tlsCAFile=${authority.file}`);
      await log.close();
    },
  );

  it('distinguishes an unreachable node from one with a rejected certificate', async () => {
    node = await openNode();
    const unreachable = `esdb+discover://localhost:${node.endpoint.port}?maxDiscoverAttempts=1`;
    await expect(open(unreachable)).rejects.toThrow(/Failed to discover.*Check that a node listens there/);
  });

  it('refuses a node by a name that its certificate lacks', { tags: 'long' }, async () => {
    node = await openNode({ tls: authority.issue('DNS:elsewhere.example') });
    await expect(open(urlOf('localhost'))).rejects.toThrow(/altnames|localhost/);
  });
});
