import { describe, expect, it } from 'vitest';
import { parseProxies } from '../../../src/crawlers/proxies/proxies-file.ts';

const parse = (text: string) => parseProxies('proxies.yaml', text);

/** Each of ten lists has the one before ten times. */
const NESTED_ALIASES = Array.from({ length: 10 }, (_, i) =>
  i === 0
    ? '- &a0 [canary]'
    : `- &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
).join('\n');

describe('a file of proxies', () => {
  it('has their names, addresses, credentials and platforms', async () => {
    const text = `
- name: eu1
  url: http://user:p%40ss@proxy.example:3128
  platforms: [x, instagram]
- { name: us1, url: 'https://proxy.example:8443', platforms: [tiktok] }
`;
    expect(await parse(text)).toEqual([
      {
        name: 'eu1',
        url: 'http://proxy.example:3128',
        authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
        platforms: ['x', 'instagram'],
      },
      { name: 'us1', url: 'https://proxy.example:8443', authorization: null, platforms: ['tiktok'] },
    ]);
    expect(await parse('[]')).toEqual([]);
  });

  it.each([
    ['no list', 'name: eu1'],
    ['no YAML', '- ['],
    ['nested aliases', NESTED_ALIASES],
    ['an alias of nothing', '- *canary'],
    ['another protocol', '- { name: a, url: "socks5://user:canary@h:1", platforms: [x] }'],
    ['a path', '- { name: a, url: "http://user:canary@h:1/path", platforms: [x] }'],
    ['no address', '- { name: a, url: "canary", platforms: [x] }'],
    ['an unknown platform', '- { name: a, url: "http://u:canary@h:1", platforms: [myspace] }'],
    ['no platform', '- { name: a, url: "http://u:canary@h:1", platforms: [] }'],
    ['a field too many', '- { name: a, url: "http://u:canary@h:1", platforms: [x], more: canary }'],
    [
      'a name twice',
      '[{ name: a, url: "http://u:canary@h:1", platforms: [x] }, { name: a, url: "http://h:2", platforms: [x] }]',
    ],
  ])('with %s is refused, without quoting it', async (_, text) => {
    const failure = await parse(text).catch((error: Error & { code?: string }) => error);
    expect(failure).toMatchObject({ code: 'proxies_invalid' });
    expect(String(failure)).not.toContain('canary');
  });
});
