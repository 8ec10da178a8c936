import { beforeEach, describe, expect, it } from 'vitest';
import { FetchError, type Transport } from '../../src/crawlers/http/port.ts';
import { createLinkPageCrawler, readLinkPage } from '../../src/crawlers/link-pages.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { people } from '../../src/projections/views/people/projection.ts';
import { linkPageStream } from '../../src/write/link-pages.ts';
import { alwaysAvailable } from '../support/availability.ts';
import { personsIn } from '../support/people-fold.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

const START = Date.UTC(2026, 9, 1);
const DAY = 86_400_000;
const PAGE = 'linktr.ee/noraquill77';
const [X, TELEGRAM] = ['https://x.com/noraquill77', 'https://t.me/noraquill77'];
const listing = (...links: readonly string[]) =>
  `<html><body><a href="/s/login">Log in</a>${links.map((link) => `<a href="${link}">me</a>`).join('')}</body></html>`;

describe('a link page', () => {
  const url = `https://${PAGE}`;
  it('lists links to other hosts, each once', () => {
    const body = listing(X, TELEGRAM, X, 'mailto:nora@example.org', 'javascript:alert(1)', 'https://');
    expect(readLinkPage({ status: 200, url, body })).toEqual({ status: 'read', links: [X, TELEGRAM] });
  });

  it.each([
    [404, '', { status: 'absent' }],
    [410, '', { status: 'absent' }],
    [403, listing(X), { status: 'unknown', reason: 'http_403' }],
    [302, '', { status: 'unknown', reason: 'http_302' }],
    [200, '<html><script>load()</script></html>', { status: 'unknown', reason: 'no_links' }],
  ])('with the status %i and the body “%s” is %o', (status, body, reading) => {
    expect(readLinkPage({ status, url, body })).toEqual(reading);
  });
});

describe('the crawler of link pages', () => {
  let program: TestProgram;
  const clock = { at: START, now: () => clock.at };
  beforeEach(async () => {
    program = await createTestProgram({ known: [people] });
    clock.at = START;
    const read = async (platform: 'x' | 'telegram', page: string, handle: string) =>
      program.append(
        platform,
        handle,
        sighted(handle, new Date(START - DAY).toISOString(), {
          display_name: 'Nora Quill',
          links: [`https://${page}`],
        }),
      );
    await read('x', PAGE, 'noraquill77');
    await read('telegram', PAGE, 'noraquill77');
    await program.project();
    return () => program.close();
  });

  /** A crawler of pages that answer as a test says, and the addresses that it asked. */
  const crawlerOf = (answer: (url: string) => { status: number; body: string } | FetchError) => {
    const asked: string[] = [];
    const http: Transport<'link-pages'> = {
      fetch: async ({ url }) => {
        asked.push(url);
        const given = answer(url);
        if (given instanceof FetchError) throw given;
        return { url, headers: {}, bytes: given.body.length, ...given };
      },
      close: async () => undefined,
    };
    const crawler = createLinkPageCrawler({
      http,
      db: program.database.db,
      schema: () => program.builds.schema('people'),
      log: program.log,
      availability: alwaysAvailable,
      clock,
      logger: silentLogger,
      ratePerS: 1_000,
    });
    const step = async () => {
      const waitMs = await crawler.step(new AbortController().signal);
      await program.project();
      return waitMs;
    };
    return { step, asked };
  };
  /** Twenty more pages are linked to. */
  const linkToMany = async () => {
    for (let n = 0; n < 20; n++)
      await program.append(
        'tiktok',
        `linking${n}`,
        sighted(`linking${n}`, new Date(START).toISOString(), { links: [`https://linktr.ee/other${n}`] }),
      );
    await program.project();
  };
  const eventsOf = async (page: string) =>
    (await program.log.readStream(linkPageStream(page))).map(
      ({ data }) => (data as { links: unknown }).links,
    );

  it('reads what profiles link to, and again after a week, and joins the accounts that it lists', async () => {
    const { step, asked } = crawlerOf(() => ({ status: 200, body: listing(X, TELEGRAM) }));
    await step();
    await step();
    expect(asked).toEqual([`https://${PAGE}`]);
    expect(await eventsOf(PAGE)).toEqual([[X, TELEGRAM]]);
    expect(await personsIn(program.database.db, program.builds.schema('people'))).toEqual([
      ['telegram:noraquill77', 'x:noraquill77'],
    ]);
    clock.at += 8 * DAY;
    await step();
    expect(asked).toHaveLength(2);
  });

  it('records that there is no such page', async () => {
    const { step } = crawlerOf(() => ({ status: 404, body: '' }));
    await step();
    expect(await eventsOf(PAGE)).toEqual([null]);
  });

  it('records nothing of a page that could not be read, and tries it again after a day', async () => {
    const { step, asked } = crawlerOf(() => new FetchError('timeout', 'too slow'));
    await step();
    await step();
    expect([asked.length, await eventsOf(PAGE)]).toEqual([1, []]);
    clock.at += DAY;
    await step();
    expect(asked).toHaveLength(2);
  });

  it('rests for a while if page after page fails', async () => {
    await linkToMany();
    const { step, asked } = crawlerOf(() => ({ status: 429, body: '' }));
    expect(await step()).toBe(15 * 60_000);
    expect(asked).toHaveLength(10);
  });

  it('records what fits of a page with many long links', async () => {
    const long = Array.from({ length: 200 }, (_, n) => `https://example.org/${'a'.repeat(500)}${n}`);
    const { step } = crawlerOf(() => ({ status: 200, body: listing(X, TELEGRAM, ...long) }));
    await step();
    const [links] = (await eventsOf(PAGE)) as readonly string[][];
    expect(links?.slice(0, 2)).toEqual([X, TELEGRAM]);
  });

  it('does not rest because of pages that list nothing', async () => {
    await linkToMany();
    const { step, asked } = crawlerOf(() => ({ status: 200, body: '<html></html>' }));
    await step();
    expect(asked).toHaveLength(21);
  });
});
