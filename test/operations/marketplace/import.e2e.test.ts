import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHome, type TestHome } from '../../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/wait.ts';

const OFFERS = 20_000;

let home: TestHome;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2, 'built');
  home = await createTestHome({ LOG_LEVEL: 'warn', DATABASE_URL: database.url });
});
afterAll(async () => {
  await home.remove();
  await database.drop();
});

const fileOf = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(home.home, name);
  await writeFile(path, content);
  return path;
};

const importing = (file: string, ...options: string[]) =>
  ['marketplace', 'import', file, '--source', 'market.example', ...options] as const;

describe('sightline marketplace import', () => {
  it('is completed by the same command after a kill, and adds nothing after that', async () => {
    const lines = Array.from({ length: OFFERS }, (_, i) =>
      JSON.stringify({
        id: i,
        platform: 'x',
        handle: `account${i}`,
        price_usd: '19.99',
        updated_at: '2026-10-01',
      }),
    );
    const file = await fileOf('listings.ndjson.gz', gzipSync(`${lines.join('\n')}\n`));
    // A pipe that never ends: the import is in the middle when it is killed, however fast it is.
    const pipe = join(home.home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const killed = home.start(importing(pipe));
    const feeding = createWriteStream(pipe);
    feeding.on('error', () => undefined);
    feeding.write(`${lines.slice(0, OFFERS / 2).join('\n')}\n`);
    await until('a part is recorded', async () => {
      const { rows } = await database.db.query(
        "select from log.events where type = 'ListingPublished' limit 1",
      );
      return rows.length > 0;
    });
    await killed.end('SIGKILL');
    feeding.destroy();
    const completed = await home.run(importing(file, '--json'));
    expect(completed).toMatchObject({ code: 0 });
    const { events, listings } = JSON.parse(completed.out);
    expect(listings).toBe(OFFERS);
    expect(events.ListingPublished).toBeGreaterThan(0);
    expect(events.ListingPublished).toBeLessThan(OFFERS);
    const again = await home.run(importing(file));
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain('20,000 listings and 0 placements of market.example read.\nNothing new.');
  });

  it('reports rejected lines, writes them to a file, and exits with 1', async () => {
    const csv = 'id,platform,handle,price_usd\n1,x,nasa,5\n2,x,nasa,1e300\n3,myspace,nasa,5\n';
    const file = await fileOf('some.csv', csv);
    const rejects = join(home.home, 'rejects.ndjson');
    const { code, out, err } = await home.run(importing(file, '--dry-run', '--rejects', rejects));
    expect(code).toBe(1);
    expect(out).toContain(
      '1 listing and 0 placements of market.example can be imported; nothing was appended.',
    );
    expect(err).toContain('line 3: price_usd: "1e300" is not an amount of dollars');
    const written = (await readFile(rejects, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(written).toMatchObject([
      { line: 3, record: '2,x,nasa,1e300' },
      { line: 4, reason: expect.stringMatching(/^platform: /) },
    ]);
  });

  it('refuses a host that no setting names, and says which one would', async () => {
    const { code, err } = await home.run(['marketplace', 'import', 'https://market.example/listings.csv']);
    expect(code).not.toBe(0);
    expect(err).toContain('MARKETPLACE_HOSTS=market.example');
  });
});
