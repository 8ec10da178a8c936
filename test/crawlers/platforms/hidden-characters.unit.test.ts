import { expect, it } from 'vitest';
import { readLinkPage } from '../../../src/crawlers/link-pages.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../../support/hidden-characters.ts';
import { handle as addressOf, page } from './pages.ts';
import { PAGES, withText } from './pages-of-surfaces.ts';

/** Values of a page that are replaced, each in turn. */
const VALUES = 80;

it.each(PAGES)('%s (%s, %s): no value of a page gives a reading with hidden characters', (...args) => {
  const [platform, handle, surface, body] = args;
  const adapter = adapterOf(platform);
  const found = adapter.surfaces.find(({ name }) => name === surface);
  const readings = Array.from({ length: VALUES }, (_, n) =>
    found?.parse(
      page(withText(body, n, WITH_ALL_HIDDEN), { url: adapter.profileUrl(handle) }),
      addressOf(handle),
    ),
  );
  expect(readings.filter((reading) => reading?.status === 'present').length).toBeGreaterThan(0);
  expect(hiddenIn(JSON.stringify(readings))).toEqual([]);
});

it('no link of a link page has hidden characters', () => {
  const body = `<a href="https://nasa.example/${WITH_ALL_HIDDEN}?${WITH_ALL_HIDDEN}#${WITH_ALL_HIDDEN}">x</a>`;
  const reading = readLinkPage({ status: 200, url: 'https://linktr.ee/nasa', body });
  expect(reading.status).toBe('read');
  expect(hiddenIn(JSON.stringify(reading))).toEqual([]);
});
