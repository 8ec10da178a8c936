import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../infra/simulator/world/account.ts';
import { type Endpoint, readsPlatforms } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { descriptorOf } from '../../src/platforms/index.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import { poolStream } from '../../src/write/pools/pool.ts';
import { ask, requestAbout } from '../support/asked-endpoints.ts';
import { eraseIn } from '../support/erasures.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { poolCreated } from '../support/pools.ts';
import { until } from '../support/wait.ts';

let program: LiveProgram;
let key: string;
/** An erased account of each platform, which its platform still shows. */
let erased: Readonly<Record<Platform, Account>>;

const erase = ({ platform, id, handle }: Account) =>
  eraseIn(
    { db: program.database.db, log: program.log, fence: program.fence },
    { platform, id: hasIds(platform) ? id : null, handles: [handle] },
  );

/** Whether pages of the platform show native IDs. */
const hasIds = (platform: Platform): boolean => platform !== 'telegram' && platform !== 'linkedin';

/** A handle and an ID by the rules of a platform that no account has. */
const unseenOn = (platform: Platform) => ({
  handle: descriptorOf(platform).parseHandle('zznobodyzz') ?? 'zznobodyzz.bsky.social',
  id:
    { youtube: 'UCzzzzzzzzzzzzzzzzzzzzzz', bluesky: 'did:plc:zzzzzzzzzzzzzzzzzzzzzzzz' }[
      platform as string
    ] ?? '99887766554433',
});

/** The names under which callers may ask for it, each with one that nobody has. */
const namesOn = (platform: Platform): readonly (readonly [hers: string, unseen: string])[] => {
  const [hers, unseen] = [erased[platform], unseenOn(platform)];
  const byHandle = [hers.handle, unseen.handle] as const;
  return hasIds(platform) ? [byHandle, [`id:${hers.id}`, `id:${unseen.id}`]] : [byHandle];
};

beforeAll(async () => {
  program = await createLiveProgram();
  key = await program.issueKey(SCOPES);
  const accounts = PLATFORMS.map((platform) => [platform, program.account(platform, isOpen)] as const);
  erased = Object.fromEntries(accounts) as typeof erased;
  for (const [, account] of accounts) await erase(account);
});
afterAll(() => program.close());

const requests = (): number =>
  Object.values(program.simulator.requests).reduce((sum, { total }) => sum + total, 0);

/** What is about a name or a post, whether or not an account has it. */
const NOT_OF_ACCOUNTS = ['runUsernameScore', 'runHandleSimilarity', 'scrapeXTweet', 'runViralityCheck'];

const endpoints = (await loadEndpoints()).filter(({ operation }) => !NOT_OF_ACCOUNTS.includes(operation));

/** The platforms of accounts that an endpoint takes; none if it takes no account. */
const platformsOf = (endpoint: Endpoint): readonly Platform[] => {
  const about = (platform: string, handle: string) =>
    JSON.stringify(requestAbout(endpoint, { platform, handle }));
  if (about('x', 'one') === about('x', 'another')) return [];
  const { path, tool } = endpoint;
  if (path.includes('{platform}') || about('x', 'one') !== about('tiktok', 'one'))
    return tool?.platforms ?? PLATFORMS;
  return PLATFORMS.filter((platform) => path.includes(`/${platform}/`));
};

const asked = endpoints.flatMap((endpoint) => {
  const platforms = platformsOf(endpoint);
  return platforms.length === 0 ? [] : [{ operation: endpoint.operation, endpoint, platforms }];
});

/** An answer without what is its own, and with a word in place of the name that was asked for. */
const comparable = (text: string, name: string): string =>
  text
    .replaceAll(name, 'NAME')
    .replaceAll(name.replace('id:', ''), 'NAME')
    .replaceAll(/"(?:request_id|generated_at)":"[^"]*"|"took_ms":[\d.]+/g, '');

describe('an erased account', () => {
  it('is asked for of nearly all operations', () => {
    expect(asked).toHaveLength(44);
    expect(new Set(asked.flatMap(({ platforms }) => platforms))).toEqual(new Set(PLATFORMS));
  });

  it.each(asked.filter(({ endpoint }) => !readsPlatforms(endpoint)))(
    'is answered by $operation as one that nobody has seen',
    async ({ endpoint, platforms }) => {
      const before = requests();
      for (const platform of platforms)
        for (const [hers, unseen] of namesOn(platform)) {
          const of = await ask(program, requestAbout(endpoint, { platform, handle: hers }), key);
          const like = await ask(program, requestAbout(endpoint, { platform, handle: unseen }), key);
          expect(comparable(of.text, hers)).toBe(comparable(like.text, unseen));
          expect([of.status, of.headers['x-request-cost']]).toEqual([
            like.status,
            like.headers['x-request-cost'],
          ]);
        }
      expect(requests()).toBe(before);
    },
  );

  it.each(asked.filter(({ endpoint }) => readsPlatforms(endpoint)))(
    'is not read for $operation, which costs nothing',
    async ({ operation, endpoint, platforms }) => {
      const before = requests();
      for (const platform of platforms)
        for (const [hers] of namesOn(platform)) {
          // An ID is no name to register.
          if (operation === 'runHandleAvailability' && hers.startsWith('id:')) continue;
          const request = requestAbout(endpoint, { platform, handle: hers });
          const { status, text, headers } = await ask(program, request, key);
          const { error, data } = JSON.parse(text);
          // Of a tool that reads the catalog first, it is an account that the catalog lacks.
          expect({ [platform]: (error ?? data.items[0].error).code }).toEqual({
            [platform]: status === 404 ? 'not_found' : 'not_readable',
          });
          expect(headers['x-request-cost']).toBe('0');
          expect(text).not.toContain(erased[platform].displayName);
          expect(text).not.toContain('erase');
        }
      expect(requests()).toBe(before);
    },
  );

  it('is neither queued nor counted, though the pool would take any other', async () => {
    const at = Date.now();
    const data = poolCreated('asked', 'x', at, { rule: 'demand', min_holders: 1 });
    await program.log.append(poolStream('asked'), [{ id: uuidV7(at), type: 'PoolCreated', data }], 'any');
    await program.project();
    const { db } = program.database;
    const { handle, id } = erased.x;
    const answerOf = async (name: string) => {
      const { body } = await program.get(`/v2/directory/x/${encodeURIComponent(name)}`, key);
      const [{ queued, queued_reason }] = body.error.details;
      return { queued, queued_reason };
    };
    await until('others are queued', async () => (await answerOf('zzsomebodyzz')).queued);
    expect(await answerOf(handle)).toEqual({ queued: false, queued_reason: 'no_demand_pool' });
    expect(await answerOf(`id:${id}`)).toEqual(await answerOf('id:99887766554433'));
    await program.services.demand.flush();
    const { rows } = await db.query<{ handle: string }>(
      'select handle from crawl.demand where platform = $1',
      ['x'],
    );
    const counted = rows.map((row) => row.handle);
    expect(counted).toContain('zzsomebodyzz');
    expect(counted.filter((name) => [handle, `id:${id}`].includes(name))).toEqual([]);
  });

  it('is the author of no post that is read by its ID', async () => {
    const author = program.account('x', (one) => isOpen(one) && one.id !== erased.x.id);
    const { body } = await program.get(`/v2/scrape/x/tweets?handle=${author.handle}`, key);
    const post = body.data.find(({ kind }: { kind: string }) => kind === 'original').id;
    expect((await program.get(`/v2/scrape/x/tweet?id=${post}`, key)).status).toBe(200);
    await erase(author);
    const read = await program.get(`/v2/scrape/x/tweet?id=${post}`, key);
    expect([read.status, read.body.error.code, read.headers['x-request-cost']]).toEqual([
      422,
      'not_readable',
      '0',
    ]);
    expect(JSON.stringify(read.body)).not.toContain(author.handle);
  });

  it('is left out of lists of followers', async () => {
    const isListed = (one: Account) => isOpen(one) && one.id !== erased.x.id && one.followers > 50;
    const owner = program.account('x', (one) => isListed(one) && !program.fence.has('x', 'id', one.id));
    const list = async () =>
      (await program.get(`/v2/scrape/x/followers?handle=${owner.handle}&limit=20`, key)).body.data as {
        id: string;
        handle: string | null;
      }[];
    const [first, member, ...others] = (await list()).filter(({ handle }) => handle !== null);
    await erase({ ...erased.x, id: member?.id as string, handle: member?.handle as string });
    const again = (await list()).filter(({ handle }) => handle !== null);
    expect(again.map(({ id }) => id)).toEqual(
      expect.arrayContaining([first?.id, ...others.map(({ id }) => id)]),
    );
    expect(again.map(({ id }) => id)).not.toContain(member?.id);
  });
});
