import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import { isPublic, publicLookup, type ResolvedAddress } from '../../../src/crawlers/http/transport.ts';
import { type Loopback, liveHttp, startLoopback } from './loopback.ts';

let target: Loopback;
beforeAll(async () => {
  target = await startLoopback();
});
afterAll(() => target.close());

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const http = (resolve: (hostname: string) => Promise<readonly ResolvedAddress[]>) => {
  const made = liveHttp({ resolve, limits: { retries: 0, connectMs: 2_000, headersMs: 2_000 } });
  open.push(made.http);
  return made.http;
};

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });

/** Addresses that never pass: the host is made up, or is an address itself. `P` stands for the listening port. */
const REFUSED_URLS = [
  'http://x.com/',
  'http://x.com:P/',
  'https://x.com:P/',
  'https://x.com:80/',
  'https://x.com:8443/',
  'https://user@x.com/',
  'https://user:secret@x.com/',
  'https://:secret@x.com/',
  'https://x.com@127.0.0.1/',
  'https://x.com@127.0.0.1:P/',
  'https://x.com%40127.0.0.1/',
  'https://127.0.0.1/',
  'https://127.0.0.1:P/',
  'http://127.0.0.1:P/',
  'https://127.1/',
  'https://127.0.1/',
  'https://127.1:P/',
  'https://0x7f.1/',
  'https://0x7f.0.0.1/',
  'https://0x7f000001/',
  'https://0X7F000001/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0177.0.0.01/',
  'https://00000177.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://0.0.0.0:P/',
  'https://１２７.０.０.１/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://localhost/',
  'https://localhost:P/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://foo.localhost/',
  'https://localhost.localdomain/',
  'https://ip6-localhost/',
  'https://[::1]/',
  'https://[::1]:P/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[2606:4700::1111]/',
  'https://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254/latest/meta-data/',
  'https://metadata.google.internal/',
  'https://metadata/',
  'https://instance-data/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://8.8.8.8/',
  'https://x.com./',
  'https://x.com.example.org/',
  'https://notx.com/',
  'https://xxcom/',
  'https://x.co/',
  'https://x.com.localtest.me/',
  'https://127.0.0.1.nip.io/',
  'https://x.com.127.0.0.1.nip.io/',
  'https://xn--x-0ga.com/',
  'https://х.com/',
  'https://x。com。example.org/',
  'https://x.com\\@127.0.0.1/',
  'https://x.com#@127.0.0.1/\nhttps://evil.example/',
  'https://evil.example/https://x.com/',
  'https://evil.example/?x.com',
  'https://evil.example#x.com',
  'https://twitter.com/',
  'https://syndication.twitter.com.evil.example/',
  'https://evilsyndication.twitter.com/',
  'https:///127.0.0.1/',
  'https:127.0.0.1/',
  'https:/127.0.0.1:P/',
  'https://x.com:0/',
  'https://x.com:65536/',
  'ftp://x.com/',
  'file:///etc/passwd',
  'file://x.com/etc/passwd',
  'gopher://127.0.0.1:P/_GET',
  'dict://127.0.0.1:P/',
  'ws://x.com/',
  'wss://x.com/',
  'data:text/html,hello',
  'javascript:alert(1)',
  'blob:https://x.com/1',
  'about:blank',
  'unix:/var/run/docker.sock',
  'https+unix://x.com/',
  '//x.com/',
  '/relative',
  'x.com',
  '',
  ' ',
  'https://',
  'https://?',
  'https://%00/',
  'https://x.com%00.evil.example/',
  'https://x.com%2f@127.0.0.1/',
  'https://[x.com]/',
  'https://[::1%25lo]/',
  'https://.x.com.evil.example/',
];

/** Answers of a name server for an allowed host that must never be connected to. */
const REFUSED_ADDRESSES: readonly ResolvedAddress[] = [
  ...[
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.254',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.168.255.255',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    'not-an-address',
    '',
  ].map(v4),
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
    '::2',
    '5f00::1',
    '::ffff:0:127.0.0.1',
  ].map(v6),
];

describe('addresses that a crawler is asked to fetch', () => {
  test('include at least a hundred private ones, all tested', () => {
    expect(REFUSED_URLS.length + REFUSED_ADDRESSES.length).toBeGreaterThanOrEqual(150);
    expect(REFUSED_URLS.length).toBeGreaterThanOrEqual(100);
  });

  test.for(REFUSED_URLS)('are refused before a look-up or connection: %j', async (template) => {
    const looked: string[] = [];
    const before = target.connections();
    const client = http(async (hostname) => {
      looked.push(hostname);
      return [v4('127.0.0.1')];
    });
    const url = template.replace(/(?<=[:\]])P/, String(target.port));
    const failure = await client.fetch({ platform: 'x', url }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FetchError);
    expect((failure as FetchError).reason).toBe('host_refused');
    expect(looked).toEqual([]);
    expect(target.connections()).toBe(before);
  });

  test.for(REFUSED_ADDRESSES)(
    'are not connected to if a listed host resolves to $address',
    async (address) => {
      const before = target.connections();
      const failure = await http(async () => [address])
        .fetch({ platform: 'x', url: 'https://x.com/' })
        .catch((error: unknown) => error);
      expect((failure as FetchError).reason).toBe('host_refused');
      expect(target.connections()).toBe(before);
    },
  );

  test('are refused if one of several is private', async () => {
    const failure = await http(async () => [v4('93.184.216.34'), v4('127.0.0.1')])
      .fetch({ platform: 'x', url: 'https://x.com/' })
      .catch((error: unknown) => error);
    expect((failure as FetchError).reason).toBe('host_refused');
  });

  test('are refused if the name resolves to nothing', async () => {
    const failure = await http(async () => [])
      .fetch({ platform: 'x', url: 'https://x.com/' })
      .catch((error: unknown) => error);
    expect((failure as FetchError).reason).toBe('host_refused');
  });
});

describe('a name that changes its address', () => {
  const look = (lookup: ReturnType<typeof publicLookup>) =>
    new Promise<unknown>((resolve) => {
      lookup('x.com', { all: true }, (error, addresses) => resolve(error ?? addresses));
    });

  test('is resolved once per connection, to exactly the checked address', async () => {
    const answers = [[v4('93.184.216.34')], [v4('127.0.0.1')]];
    let asked = 0;
    const lookup = publicLookup(async () => answers[asked++] ?? []);
    expect(await look(lookup)).toEqual([v4('93.184.216.34')]);
    expect(asked).toBe(1);
    expect(await look(lookup)).toBeInstanceOf(FetchError);
  });

  test('passes with public addresses, however often it changes', () => {
    for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450::1']) {
      expect(isPublic(address), address).toBe(true);
    }
  });
});

describe('redirects', () => {
  const PLACES = [
    'http://127.0.0.1:P/secret',
    'https://127.0.0.1:P/secret',
    'https://[::1]:P/secret',
    'http://169.254.169.254/latest/meta-data/',
    'https://evil.example/',
    'https://x.com.evil.example/',
    'https://user:pw@x.com/',
    'https://x.com:P/',
    'http://x.com/plain',
    '//127.0.0.1:P/secret',
    'file:///etc/passwd',
    'https://www.google.com/sorry/index',
  ];

  test.for(PLACES)('to %s are returned and not followed', async (template) => {
    const location = template.replace('P', String(target.port));
    const platform = await startLoopback();
    platform.handle((_, response) => response.writeHead(302, { location }).end());
    const { http: client } = liveHttp({ simulatorUrl: platform.url });
    open.push(client, platform);
    const before = target.connections();
    const page = await client.fetch({ platform: 'x', url: 'https://x.com/nasa' });
    expect(page.status).toBe(302);
    expect(page.headers.location).toBe(location);
    expect(page.url).toBe('https://x.com/nasa');
    expect(platform.requests()).toHaveLength(1);
    expect(target.connections()).toBe(before);
  });
});
