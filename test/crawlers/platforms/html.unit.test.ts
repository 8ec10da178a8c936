import { describe, expect, it } from 'vitest';
import { metaTags, textOf, treeOf, verbatimOf } from '../../../src/crawlers/platforms/shared/html.ts';
import { telegram } from '../../../src/crawlers/platforms/telegram/index.ts';
import { parseWith, shown, verdict } from './pages.ts';
import * as s from './samples.ts';

const first = (html: string, selector: string, without?: string): string | null =>
  textOf(treeOf(html)?.select(selector)[0], without);

const nested = (levels: number, text: string): string =>
  `${'<div>'.repeat(levels)}${text}${'</div>'.repeat(levels)}`;

describe('the text of an element', () => {
  it('has the line breaks that a page shows, not those of its source', () => {
    const html = '<p> one\n two<br>three <b>four &amp;</b> <pre>five\nsix</pre></p>';
    expect(first(`<div>${html}</div>`, 'div')).toBe('one two\nthree four & five\nsix');
    expect(verbatimOf(treeOf('<a>one\n  two </a>')?.select('a')[0])).toBe('one\n  two ');
  });

  it('lacks what is to be left out', () => {
    expect(first('<p>Name <i class="a badge">✔</i></p>', 'p', 'badge')).toBe('Name');
  });

  it('is read at any depth', () => {
    expect(first(`<section>${nested(900, 'deep')}</section>`, 'section')).toBe('deep');
  });

  it('is null without an element', () => {
    expect(first('<p>text</p>', 'b')).toBeNull();
  });
});

describe('a tree of elements', () => {
  it.for([
    ['a page', '<html><body><p>x</p></body></html>', true],
    ['a page without the end of its body', '<body><p>x</p>', false],
    [
      'a page that is broken off, and ends a body in a text',
      '<body><p>x &lt;/body&gt;<!-- </body> -->',
      false,
    ],
  ] as const)('says whether it covers all of %s', ([, html, isComplete]) => {
    expect(treeOf(html)?.isComplete).toBe(isComplete);
  });

  it('has at most 1,000 levels', () => {
    expect(treeOf(nested(1_000, 'x'))?.select('div')).toHaveLength(1_000);
    expect(treeOf(nested(1_001, 'x'))).toBeNull();
    expect(treeOf('<b>'.repeat(100_000))).toBeNull();
  });
});

describe('a page of Telegram', () => {
  const surfaces = [
    ['landing', (inner: string) => s.telegramLanding(s.extra('12 subscribers') + inner)],
    ['preview', (inner: string) => s.telegramPreview(s.telegramMessage('sample/2', inner))],
  ] as const;

  it.for(surfaces)('is read if its %s is 900 levels deep', ([surface, page]) => {
    expect(shown(parseWith(telegram, surface, 'sample', page(nested(900, 'x')))).profile).toMatchObject({
      display_name: 'A Sample',
    });
  });

  it.for(surfaces)('is refused if its %s is deeper than 1,000 levels, or never closed', ([surface, page]) => {
    for (const inner of [nested(1_001, 'x'), '<b>'.repeat(100_000)]) {
      const reading = parseWith(telegram, surface, 'sample', page(inner));
      expect(verdict(reading)).toBe('unknown:layout_changed');
      expect(reading).toMatchObject({ detail: 'The page is nested too deep' });
    }
  });

  it('is refused if a message contains another', () => {
    const body = s.telegramPreview(s.telegramMessage('sample/2', s.telegramMessage('sample/3', '')));
    expect(verdict(parseWith(telegram, 'preview', 'sample', body))).toBe('unknown:layout_changed');
  });
});

it('meta tags are read from the head only', () => {
  const { get, addresses } = metaTags(
    `<head><meta property="OG:Title" content="A &amp; B"><link rel="Canonical" href="https://a.example/">
    <script>"<body>"</script><meta name="description" content=""><meta property="og:url" content="https://b.example/">
    </head><body><meta property="og:url" content="https://c.example/">${'<b>'.repeat(2_000)}`,
  );
  expect([get('og:title'), get('description')]).toEqual(['A & B', null]);
  expect(addresses).toEqual(['https://a.example/', 'https://b.example/']);
});
