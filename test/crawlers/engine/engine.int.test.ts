import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { truthOf, truthOfHandle } from '../../../infra/simulator/ground-truth.ts';
import type { Visible } from '../../../infra/simulator/platforms/site.ts';
import { PLATFORMS, type Platform } from '../../../infra/simulator/simulated-platforms.ts';
import { recruitSeeds } from '../../../src/crawlers/pools/choose-pool.ts';
import { ident, sql } from '../../../src/kernel/postgres/statement.ts';
import { accountStream } from '../../../src/write/accounts/account.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { createTestCrawl, NOW, type TestCrawl } from '../../support/crawl.ts';
import { until } from '../../support/wait.ts';

const SIZE = 80;

let crawl: TestCrawl;
beforeAll(async () => {
  crawl = await createTestCrawl({ size: SIZE });
  await crawl.seed(8);
  crawl.run();
  await crawl.settled();
});
afterAll(() => crawl.close());

const historyOf = (platform: Platform, handle: string): Promise<readonly RecordedEvent[]> =>
  crawl.program.log.readStream(accountStream(platform, handle));

interface Seen {
  readonly status: Visible['status'];
  readonly profile: Readonly<Record<string, unknown>> | null;
}

/** Accounts that pools have, and names that were read and not found. */
const discovered = async (platform: Platform): Promise<readonly string[]> => {
  const { rows } = await crawl.program.db.query<{ handle: string }>(sql`
    select handle from ${ident(crawl.builds.schema('frontier'))}.due where platform = ${platform}
    union select handle from crawl.candidates where platform = ${platform} order by handle`);
  return rows
    .map((row) => row.handle)
    .filter((handle) => !crawl.registry.adapterOf(platform).isBareId(handle));
};

/** What some surfaces show together: earlier ones win, later ones fill in what those do not show. */
const together = (surfaces: readonly Visible[]): Seen => {
  const [first, ...rest] = surfaces.filter((one) => one.profile !== null);
  if (first === undefined) {
    return { status: surfaces.find((one) => one.status !== 'unknown')?.status ?? 'unknown', profile: null };
  }
  const profile: Record<string, unknown> = { ...first.profile };
  for (const other of rest) {
    for (const [field, value] of Object.entries(other.profile ?? {})) profile[field] ??= value;
  }
  return { status: surfaces.some((one) => one.status === 'private') ? 'private' : 'present', profile };
};

/** What a reader may come to know, by how many surfaces it had to ask. X's GraphQL is asked where the others fail. */
const knowable = (platform: Platform, visible: readonly Visible[]): readonly Seen[] => {
  const open = platform === 'x' ? visible.filter((one) => one.surface !== 'graphql') : visible;
  // An embed that refuses says nothing: whether the account is protected is GraphQL's to tell.
  if (platform === 'x' && visible.some((one) => one.status === 'private')) return [together(visible)];
  if (!open.some((one) => one.profile !== null))
    return [together(platform === 'x' ? visible.toReversed() : visible)];
  const first = open.findIndex((one) => one.status !== 'unknown');
  // An empty timeline may be a protected account's: GraphQL tells whose it is.
  if (platform === 'x' && visible.some(({ profile }) => profile?.posts === 0))
    return [together(visible.filter((one) => one.surface !== 'syndication'))];
  return open.slice(first).map((_, n) => together(open.slice(first, first + n + 1)));
};

const activeOf = (platform: Platform): number => {
  const { world } = crawl.simulator;
  for (let index = 0; ; index++) {
    const truth = truthOf(world, platform, index, NOW);
    if (truth.visible[0]?.status === 'present') return index;
  }
};

describe('a crawl from a few seeds', () => {
  it.for(PLATFORMS)('finds more than nine in ten accounts of %s', async (platform) => {
    const { world } = crawl.simulator;
    const found = new Set((await discovered(platform)).map((handle) => world.find(platform, handle)));
    found.delete(null);
    // Newcomers that are still to come are absent; dead regions name nobody.
    const there = Array.from({ length: SIZE }, (_, index) => index).filter(
      (index) => world.account(platform, index, NOW).status !== 'absent',
    );
    expect(there.filter((index) => found.has(index)).length / there.length).toBeGreaterThan(0.9);
  });

  it.for(PLATFORMS)('sees the truth on %s, and nothing else', async (platform) => {
    const seen = { present: 0, private: 0, gone: 0 };
    const handles = await discovered(platform);
    for (const handle of handles) {
      const expected = knowable(
        platform,
        truthOfHandle(crawl.simulator.world, platform, handle, NOW).visible,
      );
      const [sighting] = (await historyOf(platform, handle)).filter(({ type }) =>
        ['AccountSighted', 'AccountUnavailable'].includes(type),
      );
      // That nobody has a name is no news.
      const isNobody = sighting === undefined && expected[0]?.status === 'absent';
      seen.gone += isNobody ? 1 : 0;
      if (expected[0]?.status === 'unknown') expect(sighting, handle).toBeUndefined();
      if (isNobody || expected[0]?.status === 'unknown') continue;
      const data = sighting?.data as { status: string; profile?: Seen['profile'] } | undefined;
      const status = data?.status === 'active' ? 'present' : data?.status;
      expect(expected, handle).toContainEqual({ status, profile: data?.profile ?? null });
      seen[status === 'present' || status === 'private' ? status : 'gone'] += 1;
    }
    expect(seen.present).toBeGreaterThan(SIZE / 2);
    expect(seen.gone).toBeGreaterThan(0);
  });

  it('leases no account twice', async () => {
    const { rows } = await crawl.program.db.query(sql`
      select stream from log.events where type in ('AccountSighted', 'AccountUnchanged', 'AccountUnavailable')
      group by stream having count(*) > 1`);
    expect(rows).toEqual([]);
  });

  it('lets the API answer with the world’s figures', async () => {
    for (const platform of PLATFORMS) {
      const truth = truthOf(crawl.simulator.world, platform, activeOf(platform), NOW);
      const expected = knowable(platform, truth.visible).map(({ profile }) => profile?.followers);
      const { status, body } = await crawl.get(`/accounts/${platform}/${encodeURIComponent(truth.handle)}`);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ exists: true, status: 'active', in_catalog: true });
      if (platform === 'linkedin')
        // The figure needs a scope that this key lacks.
        expect(body.data.followers).toBeNull();
      else expect(expected).toContain(body.data.followers);
    }
  });
});

describe('a refresh', () => {
  it('appends AccountUnchanged if nothing is new, and is due no sooner than the last time', async () => {
    const handle = crawl.simulator.world.handleOf('bluesky', activeOf('bluesky'), NOW);
    const pace = async () => {
      const { rows } = await crawl.program.db.query<{ interval_s: number; due_at: string }>(sql`
        select interval_s, due_at from ${ident(crawl.builds.schema('frontier'))}.due where platform = 'bluesky'
          and handle = ${handle}`);
      return rows[0] as { interval_s: number; due_at: string };
    };
    const before = await pace();
    const events = (await historyOf('bluesky', handle)).length;
    await crawl.makeDue('bluesky', [handle]);
    const fresh = await until('the account was read again', async () => {
      const now = await historyOf('bluesky', handle);
      return now.length > events ? now.slice(events) : null;
    });
    expect(fresh.map(({ type }) => type)).toEqual(['AccountUnchanged']);
    expect(fresh[0]?.data).toMatchObject({ moved: {} });
    await crawl.followed();
    const after = await pace();
    expect(after.interval_s).toBeGreaterThanOrEqual(before.interval_s);
    expect(Date.parse(after.due_at)).toBeGreaterThan(Date.now());
  });
});

describe('a renamed account', () => {
  const DAY = 86_400_000;

  it('is the same entry under its new handle', async () => {
    const { world, clock } = crawl.simulator;
    // The first who is active under a second handle some years later, while nobody has taken the first.
    const [index, later] = [1, 2, 3, 4]
      .flatMap((years) => Array.from({ length: SIZE }, (_, i) => [i, NOW + years * 365 * DAY] as const))
      .find(([i, at]) => {
        const [before, after] = [truthOf(world, 'bluesky', i, NOW), truthOf(world, 'bluesky', i, at)];
        return (
          before.handle !== after.handle &&
          before.previous_handles.length === 0 &&
          after.previous_handles.length === 1 &&
          before.visible[0]?.profile?.id !== null &&
          before.status === 'active' &&
          after.status === 'active' &&
          world.current('bluesky', before.handle, at) === null
        );
      }) ?? [undefined, NOW];
    expect(index).toBeDefined();
    const before = truthOf(world, 'bluesky', index as number, NOW);
    const after = truthOf(world, 'bluesky', index as number, later);
    const old = await crawl.get(`/directory/bluesky/${before.handle}`);
    expect(old.status).toBe(200);

    clock.set({ now: later });
    try {
      await crawl.makeDue('bluesky', [before.handle]);
      await recruitSeeds(crawl.program.log, 'bluesky', [after.handle], Date.now());
      await until('the new handle was read', async () =>
        (await historyOf('bluesky', after.handle)).some(({ type }) => type === 'AccountSighted'),
      );
      await until('the old handle was read', async () =>
        (await historyOf('bluesky', before.handle)).some(({ type }) => type === 'AccountUnavailable'),
      );
      await crawl.followed();
    } finally {
      clock.set({ now: NOW });
    }
    const entry = await crawl.get(`/directory/bluesky/${after.handle}`);
    expect(entry.status).toBe(200);
    expect(entry.body.data).toMatchObject({
      id: before.id,
      handle: after.handle,
      status: 'active',
      previous_handles: [before.handle],
      first_seen_at: old.body.data.first_seen_at,
    });
    const byId = await crawl.get(`/directory/bluesky/id:${before.id}`);
    expect(byId.body.data).toEqual(entry.body.data);
    const changes = await crawl.get('/directory/changes?platform=bluesky&kind=renamed&limit=100');
    expect(changes.body.data).toMatchObject([
      { handle: after.handle, kind: 'renamed', before: before.handle, after: after.handle },
    ]);
  });
});
