import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import { createAccessLog, dropOldAccesses } from '../../src/write/access-log.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import { ask, requestAbout } from '../support/asked-endpoints.ts';
import { eraseIn } from '../support/erasures.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;

/** Rows of the log, the oldest first. */
const accesses = async () => {
  const { rows } = await program.database.db.query<{
    account: string;
    holder: string;
    operation: string;
  }>(sql`
    select platform || ':' || handle as account, holder, operation from metering.accesses order by at, 1`);
  return rows;
};

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

beforeAll(async () => {
  program = await createTestProgram({ keepsAccesses: true });
  key = await program.issueKey(SCOPES);
  await program.append('x', 'ann', sighted('ann', ago(2), { id: '900', followers: 1_000 }));
  await program.project();
});
afterAll(() => program.close());

/** Names and posts are no accounts, even if an account has the name or wrote the post. */
const NOT_OF_ACCOUNTS = ['runUsernameScore', 'scrapeXTweet', 'runViralityCheck', 'searchPeople'];

const endpoints = await loadEndpoints();

/** A name by the rules of each platform. */
const nameOn = (operation: string): string =>
  operation.includes('Bluesky') ? 'annie.bsky.social' : operation.includes('Telegram') ? 'annie' : 'ann';

const aboutAnn = (endpoint: Endpoint) => {
  const handle = nameOn(endpoint.operation);
  return requestAbout(endpoint, { platform: 'x', handle });
};

/** The platform of the account that a request names; null if it names none. */
const platformOf = (endpoint: Endpoint): string | null => {
  const other = requestAbout(endpoint, { platform: 'x', handle: 'another' });
  if (NOT_OF_ACCOUNTS.includes(endpoint.operation)) return null;
  if (JSON.stringify(other) === JSON.stringify(aboutAnn(endpoint))) return null;
  if (/finding|listing|engine|leads\/linkedin/i.test(endpoint.path))
    return endpoint.group === 'leads' ? 'linkedin' : null;
  return /scrape\/(\w+)\/verify/.exec(endpoint.path)?.[1] ?? 'x';
};

const OF_ACCOUNTS = endpoints.flatMap((endpoint) => {
  const platform = platformOf(endpoint);
  return platform === null ? [] : [[endpoint.operation, platform, endpoint] as const];
});

describe('the log of who asked for whom', () => {
  it('concerns nearly all operations', () => expect(OF_ACCOUNTS).toHaveLength(45));

  it.each(OF_ACCOUNTS)(
    'has who asks %s for an account of %s, whatever the answer is',
    async (operation, platform, endpoint) => {
      await program.database.db.query('delete from metering.accesses');
      const { text } = await ask(program, aboutAnn(endpoint), key);
      const found = await accesses();
      expect(found.length, text).toBeGreaterThan(0);
      for (const each of found) expect(each).toMatchObject({ holder: 'tester', operation });
      expect(
        found.map(({ account }) => account.split(':')[0]),
        text,
      ).toContain(platform);
    },
  );

  it('has each account of a batch, and nobody who only looks at lists', async () => {
    await program.database.db.query('delete from metering.accesses');
    const accounts = ['ann', 'ben', 'id:900', 'ann'].map((handle) => ({ platform: 'x', handle }));
    const { status } = await program.post('/v2/accounts/check', { accounts }, key);
    expect(status).toBe(200);
    expect((await accesses()).map(({ account }) => account)).toEqual(['x:ann', 'x:ben', 'x:id:900']);
    await program.get('/v2/directory?limit=1', key);
    expect(await accesses()).toHaveLength(3);
  });

  it('has who is answered from the catalog in place of a live read, and who asks for the staff of a company', async () => {
    await program.database.db.query('delete from metering.accesses');
    const { body } = await program.get('/v2/accounts/x/ann/live?max_age_s=31536000', key);
    expect(body.meta.source).toBe('catalog');
    await program.get('/v2/leads/linkedin/people?company=acme', key);
    expect((await accesses()).map(({ account }) => account)).toEqual(['x:ann', 'linkedin:company:acme']);
  });

  it('is not written unless that is set', async () => {
    const silent = await createTestProgram();
    try {
      const other = await silent.issueKey(SCOPES);
      await silent.get('/v2/accounts/x/ann', other);
      const { rows } = await silent.database.db.query('select from metering.accesses');
      expect(rows).toEqual([]);
    } finally {
      await silent.close();
    }
  });

  it('writes what comes at once in one statement, and refuses nobody for a batch that failed', async () => {
    const written: number[] = [];
    let isDown = false;
    const log = createAccessLog(
      {
        query: async (statement: { values: unknown[][] }) => {
          written.push(statement.values[0]?.length ?? 0);
          if (isDown) throw new Error('down');
          return { rows: [] };
        },
      } as never,
      program.fence,
    );
    const access = { platform: 'x', account: 'ann', holder: 'h', operation: 'o' } as const;
    await Promise.all([log.record([access]), log.record([access, access])]);
    expect(written).toEqual([3]);
    isDown = true;
    await expect(log.record([access])).rejects.toThrow('down');
    isDown = false;
    await log.record([access]);
    expect(written).toEqual([3, 1, 1]);
  });

  it('has nobody who was erased, and nothing that is older than 90 days', async () => {
    const { db } = program.database;
    await db.query('delete from metering.accesses');
    await eraseIn(
      { db, log: program.log, fence: program.fence },
      { platform: 'x', id: '777', handles: ['gone'] },
    );
    await program.get('/v2/accounts/x/gone', key);
    await program.get('/v2/accounts/x/ann', key);
    expect((await accesses()).map(({ account }) => account)).toEqual(['x:ann']);
    await db.query(sql`update metering.accesses set at = now() - interval '89 days'`);
    expect(await dropOldAccesses(db)).toBe(0);
    await db.query(sql`update metering.accesses set at = now() - interval '91 days'`);
    expect(await dropOldAccesses(db)).toBe(1);
  });
});
