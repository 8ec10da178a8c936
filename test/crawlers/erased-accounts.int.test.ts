import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../infra/simulator/world/account.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { type Statement, sql } from '../../src/kernel/postgres/statement.ts';
import { createTestCrawl, NOW, type TestCrawl } from '../support/crawl.ts';
import { eraseIn } from '../support/erasures.ts';

let crawl: TestCrawl;
/** An account of each platform that others name in their profiles. */
let erased: readonly Account[];

beforeAll(async () => {
  crawl = await createTestCrawl({ size: 120 });
});
afterAll(() => crawl.close());

/** A pattern of a name that stands by itself. */
const pattern = (name: string): string =>
  `(^|[^a-z0-9_.-])${name.replaceAll(/[.\\+*?()[\]{}|^$]/g, '\\$&')}($|[^a-z0-9_-])`;

/** What rows say that name one of some accounts. @param from a table, with its conditions. */
const naming = async (from: Statement, names: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await crawl.program.db.query<{ row: string }>(sql`
    select substring(lower(t::text) from concat('.{0,60}(', ${names.map((name) => pattern(name.toLowerCase())).join('|')}::text, ').{0,60}')) as row from (${from}) t
    where lower(t::text) ~ any(${names.map((name) => pattern(name.toLowerCase()))}) limit 5`);
  return rows.map(({ row }) => row);
};

describe('a crawl of a world that shows erased accounts', () => {
  it('brings nothing of them back, though others name them', { tags: 'long' }, async () => {
    const { world } = crawl.simulator;
    const all = PLATFORMS.flatMap((platform) =>
      Array.from({ length: world.count(platform) }, (_, index) => world.account(platform, index, NOW)),
    );
    const nameOf = ({ handle }: Account) => handle.replace(/\..*/, '');
    // A name that accounts of other platforms have as well is not erased there.
    const isHers = (one: Account) =>
      all.every((other) => other === one || !other.handle.includes(nameOf(one)));
    const isMentioned = ({ platform, index }: Account) =>
      all.some((other) => other.platform === platform && other.mentions.includes(index));
    const named = (platform: string) => {
      const own = all.filter(
        (one) =>
          one.platform === platform && one.status === 'active' && one.kind !== 'company' && isHers(one),
      );
      return own.find(isMentioned) ?? own[0];
    };
    erased = PLATFORMS.flatMap((platform) => named(platform) ?? []);
    const { db, log, fence } = crawl.program;
    // They are due when they are erased.
    await crawl.seed(60);
    await crawl.followed();
    const head = await log.head();
    for (const { platform, id, handle } of erased) {
      const isKnown = platform !== 'telegram' && platform !== 'linkedin';
      await eraseIn({ db, log, fence }, { platform, id: isKnown ? id : null, handles: [handle] });
    }
    crawl.run();
    await crawl.settled();
    const names = erased.flatMap(({ platform, id, handle }) =>
      platform === 'telegram' || platform === 'linkedin' ? [handle] : [handle, id],
    );
    const since = sql`select * from log.events where position > ${String(head)}`;
    for (const rows of [since, sql`select * from crawl.candidates`, sql`select * from crawl.namings`])
      expect(await naming(rows, names)).toEqual([]);
    const others = all.filter((one) => !erased.includes(one)).map(({ handle }) => handle);
    expect(await naming(since, others)).not.toEqual([]);
  });
});
