import { describe, expect, test } from 'vitest';
import {
  assignedJson,
  linkedData,
  scriptById,
} from '../../../src/crawlers/platforms/shared/embedded-json.ts';
import { Fields, parseInstant } from '../../../src/crawlers/platforms/shared/field-reader.ts';
import { linksOf } from '../../../src/crawlers/platforms/shared/links.ts';
import { parseCount, unwrap32 } from '../../../src/crawlers/platforms/shared/parse-count.ts';
import { retryAfterOf } from '../../../src/crawlers/platforms/shared/reading-outcomes.ts';
import { urlsIn } from '../../../src/kernel/text.ts';

describe('counts', () => {
  test.for<[unknown, number]>([
    [0, 0],
    [1234, 1234],
    ['0', 0],
    ['1234', 1234],
    ['1,234', 1234],
    ['1.234', 1234],
    ["1'234", 1234],
    ['1 474 933', 1_474_933],
    ['1\u00a0474\u00a0933', 1_474_933],
    ['1\u202f474\u202f933 abonnés', 1_474_933],
    ['1\u2009234', 1234],
    ['12,34,567', 1_234_567],
    ['1,234,567 followers', 1_234_567],
    ['337 videos', 337],
    ['37.2K', 37_200],
    ['37.2k views', 37_200],
    ['37,2K', 37_200],
    ['1.2M', 1_200_000],
    ['1.23M subscribers', 1_230_000],
    ['1.234M', 1_234_000],
    ['1,234K', 1_234_000],
    ['25m subscribers', 25_000_000],
    ['25 million subscribers', 25_000_000],
    ['2B', 2_000_000_000],
    ['1,2 Mio.', 1_200_000],
    ['1,2 Mio. Abonnenten', 1_200_000],
    ['1,2\u00a0Mio. Abonnenten', 1_200_000],
    ['3 Mrd. Aufrufe', 3_000_000_000],
    ['12 тыс.', 12_000],
    ['12\u00a0тыс. подписчиков', 12_000],
    ['1,5 млн подписчиков', 1_500_000],
    ['3.4万', 34_000],
    ['チャンネル登録者数 3.4万人', 34_000],
    ['1.2億', 120_000_000],
    ['5.6만명', 56_000],
    ['12 mil suscriptores', 12_000],
    ['1,2 mi de inscritos', 1_200_000],
    ['1,5 M de suscriptores', 1_500_000],
    ['2,5 B abone', 2_500_000_000],
    ['3 lakh', 300_000],
    ['1.5 crore', 15_000_000],
    ['١٬٢٣٤', 1234],
    ['１２３', 123],
    ['about 12 subscribers', 12],
    ['\u200e1,234\u200f', 1234],
    ['5 members, 3 online', 5],
  ])('%j is the count %i', ([raw, count]) => {
    expect(parseCount(raw)).toBe(count);
  });

  test.for([
    '',
    'none',
    'No subscribers',
    '-5',
    '−5',
    '1.5',
    '1,5',
    '12,34',
    '1,234.5',
    '1.2.3',
    '1,2,3',
    '10+',
    '1-5',
    '5%',
    'NaN',
    'Infinity',
    null,
    undefined,
    true,
    {},
    [],
    -1,
    1.5,
    Number.NaN,
    2 ** 53,
    '99999999999999999999',
  ])('%j is unreadable', (raw) => {
    expect(parseCount(raw)).toBeNull();
  });

  test('a negative 32-bit count is 2^32 too small', () => {
    expect(unwrap32(-2_094_967_296)).toBe(2_200_000_000);
    expect(unwrap32('-1')).toBe(4_294_967_295);
    expect(unwrap32(5)).toBe(5);
    expect(unwrap32(-(2 ** 40))).toBe(-(2 ** 40));
  });

  test('an unreadable count is null with a warning, a missing one only null', () => {
    const fields = new Fields();
    expect(fields.count('followers', 'many')).toBeNull();
    expect(fields.count('following', undefined)).toBeNull();
    expect(fields.warnings).toEqual([`followers can't be read: "many"`]);
  });
});

describe('times', () => {
  test.for<[unknown, string]>([
    ['Tue Feb 20 14:35:54 +0000 2007', '2007-02-20T14:35:54.000Z'],
    ['Tue Feb 20 14:35:54 +0200 2007', '2007-02-20T12:35:54.000Z'],
    [1425144149, '2015-02-28T17:22:29.000Z'],
    ['1425144149', '2015-02-28T17:22:29.000Z'],
    [1425144149123, '2015-02-28T17:22:29.123Z'],
    ['2013-07-09T20:17:20+00:00', '2013-07-09T20:17:20.000Z'],
    ['2013-07-09T20:17:20.5Z', '2013-07-09T20:17:20.500Z'],
    ['2013-07-09T20:17:20', '2013-07-09T20:17:20.000Z'],
    ['2013-07-09', '2013-07-09T00:00:00.000Z'],
  ])('%j is the time %s', ([raw, iso]) => {
    expect(parseInstant(raw)).toBe(iso);
  });

  test.for(['', 'yesterday', '10 days ago', 0, -5, '2013-13-45', null, {}, '0001-01-01T00:00:00Z', 1e300])(
    '%j is unreadable',
    (raw) => {
      expect(parseInstant(raw)).toBeNull();
    },
  );
});

describe('embedded JSON', () => {
  test.for([
    '<script id="S" type="application/json">{"a":1}</script>',
    "<script type='application/json' id='S'>{\"a\":1}</script>",
    '<script data-x="a>b" id=S>{"a":1}</script>',
    '<SCRIPT ID="S">{"a":1}</SCRIPT>',
    '<script\n  id = "S"\n>\n {"a":1} \n</script>',
    '<script id="S"><!-- {"a":1} --></script>',
    '<script id="S">//<![CDATA[\n{"a":1}\n//]]></script>',
    '<script id="S">{&quot;a&quot;:1}</script>',
    '<script>var x = "S";</script><script id="other">{"a":2}</script><script id="S">{"a":1}</script>',
  ])('is found in %s', (html) => {
    expect(scriptById(`<html>${html}`, 'S')).toEqual({ a: 1 });
  });

  test.for([
    '',
    '<script id="S">{"a":1}',
    '<script id="S"',
    '<script id="S">{"a":</script>',
    '<script data-id="S">{"a":1}</script>',
  ])('is not found in %j', (html) => {
    expect(scriptById(html, 'S')).toBeUndefined();
  });

  test('includes linked data of every block', () => {
    const html = `<script type="application/ld+json">[{"@type":"A"},{"@type":"B"}]</script>
      <script type='application/ld+json'>broken</script>
      <script nonce="1" type="application/ld&#43;json">{"@graph":[{"@type":"C"}]}</script>`;
    expect(linkedData(html).map((node) => (node as { '@type'?: string })['@type'])).toEqual([
      'A',
      'B',
      undefined,
      'C',
    ]);
  });

  test.for([
    'var ytInitialData = {"a":"}\\"{"};</script>',
    'window["ytInitialData"] = {"a":"}\\"{"};</script>',
    'ytInitialData={"a":"}\\"{"};var b = {};</script>',
    "var ytInitialData = '\\x7b\\x22a\\x22:\\x22}\\\\\\x22{\\x22\\x7d';</script>",
    'if (ytInitialData) {} var ytInitialData = {"a":"}\\"{"}',
  ])('is cut out of %s', (html) => {
    expect(assignedJson(html, 'ytInitialData')).toEqual({ a: '}"{' });
  });

  test.for(['ytInitialData = {"a":', 'ytInitialData', 'ytInitialData = null;', "ytInitialData = '\\x7b"])(
    'is not cut out of %s',
    (html) => {
      expect(assignedJson(html, 'ytInitialData')).toBeUndefined();
    },
  );
});

test('addresses in a text come without surrounding punctuation', () => {
  expect(
    urlsIn('See https://a.example/x. (https://b.example/y), https://c.example/(z)! mail@x.example'),
  ).toEqual(['https://a.example/x', 'https://b.example/y', 'https://c.example/(z)']);
});

test('links are absolute, unwrapped and unique', () => {
  expect(
    linksOf([
      'https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fa.example%2F',
      'https://l.instagram.com/?u=https%3A%2F%2Fb.example%2F&e=1',
      'https://a.example',
      'javascript:alert(1)',
      'mailto:a@b.example',
      '/relative',
      null,
      '//c.example/x',
    ]),
  ).toEqual(['https://a.example/', 'https://b.example/', 'https://c.example/x']);
});

test('the wait is read from whichever header states it', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const now = Date.UTC(2026, 0, 1) / 1000;
  expect(retryAfterOf({ headers: { 'retry-after': '7' } })).toBe(7000);
  expect(retryAfterOf({ headers: { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT', date } })).toBe(60_000);
  expect(retryAfterOf({ headers: { 'x-rate-limit-reset': String(now + 30), date } })).toBe(30_000);
  expect(retryAfterOf({ headers: { 'ratelimit-reset': '45' } })).toBe(45_000);
  expect(retryAfterOf({ headers: { 'retry-after': 'soon' } })).toBeNull();
  expect(retryAfterOf({ headers: {} })).toBeNull();
});
