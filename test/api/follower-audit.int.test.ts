import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { labelledSample, seenOf } from '../../infra/calibrate/audit/labels.ts';
import { observedOf } from '../../infra/simulator/world/outsiders.ts';
import { createWorld } from '../../infra/simulator/world/world.ts';
import runFollowerAudit from '../../src/api/endpoints/tools/runFollowerAudit.ts';
import { ServiceError } from '../../src/kernel/errors.ts';
import { modelsOf } from '../../src/operations/audit/labels.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';

const NOW = Date.UTC(2026, 9, 1);
/** Another population than the one that is audited. */
const elsewhere = createWorld({ seed: 12, size: 40_000, clock: { now: () => NOW } });
const auditModels = modelsOf(
  new Map((['x', 'bluesky'] as const).map((name) => [name, labelledSample(elsewhere, name, 0).labelled])),
);

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
type Answer = { status: number; headers: any; data: any; meta: any; error: any };

const audit = async (program: LiveProgram, key: string, body: unknown): Promise<Answer> => {
  const { status, headers, body: answered } = await program.post('/v2/tools/follower-audit', body, key);
  if (status === 200) expect(z.parse(runFollowerAudit.data, answered.data)).toEqual(answered.data);
  return { status, headers, ...answered };
};

const truthOf = (program: LiveProgram, platform: 'x' | 'bluesky', index: number, n: number) => {
  const members = program.simulator.world.followers(platform, index, NOW).page(0, n);
  const share = (kind: string) => members.filter((one) => one.kind === kind).length / members.length;
  return { members, suspicious: share('suspicious'), inactive: share('inactive') };
};

describe('runFollowerAudit', () => {
  let program: LiveProgram;
  let key: string;

  beforeAll(async () => {
    program = await createLiveProgram({ auditModels });
    key = await program.issueKey(['tools:run']);
  });
  afterAll(() => program.close());
  afterEach(() => {
    vi.restoreAllMocks();
    program.simulator.faults.clear();
  });

  const small = () =>
    program.account('x', (one) => isOpen(one) && one.followers > 200 && one.followers < 480);
  const large = (platform: 'x' | 'bluesky' = 'x') =>
    program.account(platform, (one) => isOpen(one) && one.followers > 1_000);

  it('estimates the shares of a whole list, stating the labelled sample behind them', async () => {
    const { handle, index, followers } = small();
    const { status, data, meta } = await audit(program, key, { platform: 'x', handle });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      handle,
      followers,
      sampled: 'whole_list',
      calibrated: true,
      level: 0.95,
      calibration: { model: 'operator', year: null, held_out_suspicious: expect.any(Number) },
    });
    expect(data.sample_n).toBe(followers);
    expect(meta).toMatchObject({
      source: 'live',
      warnings: [],
      coverage: { sampled: followers, total: followers, capped: false },
    });
    const truth = truthOf(program, 'x', index, followers);
    for (const part of ['suspicious', 'inactive'] as const) {
      const { estimate, low, high } = data[`${part}_share`];
      // Twice the interval: one in twenty misses its own.
      const reach = high - low;
      expect(Math.abs(estimate - truth[part]), part).toBeLessThan(reach);
      expect([low <= estimate, estimate <= high], part).toEqual([true, true]);
    }
    expect(data.calibration.sensitivity).toBeGreaterThan(0.7);
  });

  it('covers the newest followers of a longer list, and says that older ones are unknown', async () => {
    const { handle, followers } = large();
    const { data, meta } = await audit(program, key, { platform: 'x', handle, sample_size: 200 });
    expect(data).toMatchObject({ sample_n: 200, sampled: 'newest' });
    expect(meta).toMatchObject({
      warnings: ['newest_followers_only'],
      coverage: { sampled: 200, total: followers, capped: true },
    });
    expect(data.not_known.join()).toContain(`newest 200 of ${followers}`);
    expect(data.strata).toHaveLength(5);
    expect(data.strata[4]).toMatchObject({ first_position: 160, last_position: 199 });
  });

  it('names blocks of bought followers by their dates, without naming a follower', async () => {
    const isBlock = (index: number) =>
      truthOf(program, 'x', index, 300).members.filter(({ campaign }) => campaign !== null).length >= 25;
    const { handle, index } = program.account(
      'x',
      (one) => isOpen(one) && one.followers > 300 && isBlock(one.index),
    );
    const { data } = await audit(program, key, { platform: 'x', handle, sample_size: 300 });
    const bought = data.creation_clusters.filter(({ kind }: { kind: string }) => kind === 'bought');
    expect(bought.length).toBeGreaterThan(0);
    const { members } = truthOf(program, 'x', index, 300);
    for (const { first_position, last_position, created_from, created_to } of bought) {
      const block = members
        .slice(first_position, last_position + 1)
        .filter(({ campaign }) => campaign !== null);
      expect(block.length).toBeGreaterThan(0);
      for (const { createdAt } of block.slice(0, 1)) {
        expect(createdAt).toBeGreaterThanOrEqual(Date.parse(created_from) - 7 * 86_400_000);
        expect(createdAt).toBeLessThanOrEqual(Date.parse(created_to) + 7 * 86_400_000);
      }
    }
    const text = JSON.stringify(data);
    for (const member of members) expect(text.includes(`"${member.handle}"`), member.handle).toBe(false);
  });

  it('says that Bluesky’s list shows no figures of followers', async () => {
    const { handle } = large('bluesky');
    const { status, data } = await audit(program, key, { platform: 'bluesky', handle, sample_size: 300 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      sample_n: 300,
      inactive_share: null,
      signals: { without_posts: null, follows_20_times_its_followers: null },
    });
    expect(data.suspicious_share.high).toBeGreaterThan(data.suspicious_share.low);
    expect(data.signals.without_picture).toBeGreaterThan(0);
    expect(data.not_known.join()).toContain('how many accounts each follower follows');
  });

  it('uses the pages that were read if a later one fails, and says so', async () => {
    const { handle } = large();
    const read = program.services.live.readFollowers;
    let pages = 0;
    vi.spyOn(program.services.live, 'readFollowers').mockImplementation(async (...given) => {
      pages += 1;
      if (pages === 3) throw new ServiceError('platform_error', 'The platform returned an error.');
      return read(...given);
    });
    const { status, data, meta } = await audit(program, key, { platform: 'x', handle, sample_size: 500 });
    expect(status).toBe(200);
    expect(data).toMatchObject({ sample_n: 200, sampled: 'newest' });
    expect(meta).toMatchObject({
      warnings: ['newest_followers_only', 'pages_unread'],
      coverage: { sampled: 200, capped: false },
    });
  });

  it('covers the newest followers where the platform ends a list early', async () => {
    const { handle, followers } = large();
    const read = program.services.live.readFollowers;
    let pages = 0;
    vi.spyOn(program.services.live, 'readFollowers').mockImplementation(async (...given) => {
      const page = await read(...given);
      pages += 1;
      return pages < 3 || page.reading.status !== 'present'
        ? page
        : { ...page, reading: { ...page.reading, cursor: null } };
    });
    const { data, meta } = await audit(program, key, { platform: 'x', handle });
    expect(data).toMatchObject({ sample_n: 300, sampled: 'newest' });
    expect(data.not_known.join()).toContain(`newest 300 of ${followers}`);
    expect(meta).toMatchObject({
      warnings: ['newest_followers_only'],
      coverage: { sampled: 300, total: followers, capped: true },
    });
  });

  it('is capped when the call has no request left for another page', async () => {
    const { handle, followers } = large();
    const read = program.services.live.readFollowers;
    let pages = 0;
    vi.spyOn(program.services.live, 'readFollowers').mockImplementation(async (...given) => {
      const [, , , , { requests }] = given;
      pages += 1;
      if (pages === 3 && requests !== undefined) requests.left = 0;
      return read(...given);
    });
    const { data, meta } = await audit(program, key, { platform: 'x', handle, sample_size: 500 });
    expect(data).toMatchObject({ sample_n: 200, sampled: 'newest' });
    expect(meta).toMatchObject({
      warnings: ['newest_followers_only', 'pages_unread'],
      coverage: { sampled: 200, total: followers, capped: true },
    });
  });

  it('uses positions in the list, which also counts members without a profile', async () => {
    const { handle } = large();
    const read = program.services.live.readFollowers;
    vi.spyOn(program.services.live, 'readFollowers').mockImplementation(async (...given) => {
      const page = await read(...given);
      if (page.reading.status !== 'present' || given[1].cursor !== null) return page;
      const hidden = new Set(page.reading.members.slice(0, 10).map(({ id }) => id));
      const profiles = new Map([...(page.reading.profiles ?? [])].filter(([id]) => !hidden.has(id)));
      return { ...page, reading: { ...page.reading, profiles } };
    });
    const { data } = await audit(program, key, { platform: 'x', handle, sample_size: 200 });
    expect(data.sample_n).toBe(190);
    expect([data.strata[0].first_position, data.strata[4].last_position]).toEqual([10, 199]);
  });

  it('reports an unread page, not an account without followers, if no ID is shown; the next call reads again', async () => {
    const { handle } = large();
    const read = program.services.live.read;
    const reading = vi.spyOn(program.services.live, 'read').mockImplementation(async (...given) => {
      const found = await read(...given);
      return found.reading.status !== 'present'
        ? found
        : { ...found, reading: { ...found.reading, profile: { ...found.reading.profile, id: null } } };
    });
    for (let calls = 1; calls <= 2; calls++) {
      const { status, error, headers } = await audit(program, key, { platform: 'x', handle });
      expect([status, error.code]).toEqual([502, 'platform_layout_changed']);
      expect(headers).toMatchObject({ 'x-request-cost': '0' });
      expect(reading).toHaveBeenCalledTimes(calls);
    }
  });

  it('passes on the platform’s error, free, if no page could be read', async () => {
    const { handle } = large();
    program.simulator.faults.set('x', 'server_error');
    const { status, error, headers } = await audit(program, key, { platform: 'x', handle });
    expect([status, error.code]).toEqual([502, 'platform_error']);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it('is refused for fewer than 50 followers, a hidden list, and other platforms', async () => {
    const { handle } = program.account('x', (one) => isOpen(one) && one.followers > 0 && one.followers < 50);
    const few = await audit(program, key, { platform: 'x', handle });
    expect([few.status, few.error.code]).toEqual([422, 'insufficient_data']);
    expect(few.error.details[0].message).toMatch(/^has \d+, needs 50$/);
    const hidden = program.account('x', ({ status }) => status === 'private');
    const refused = await audit(program, key, { platform: 'x', handle: hidden.handle });
    expect([refused.status, refused.error.details]).toEqual([
      422,
      [{ path: 'status', message: 'is private, needs active' }],
    ]);
    expect((await audit(program, key, { platform: 'x', handle: 'zz_nobody_zz' })).status).toBe(404);
    const other = await audit(program, key, { platform: 'instagram', handle });
    expect([other.status, other.error.details[0].message]).toEqual([400, 'must be one of x, bluesky']);
  });

  it('records the pages that it read in the follower graph', async () => {
    const { handle, followers } = small();
    await audit(program, key, { platform: 'x', handle });
    await program.project();
    const leads = await program.issueKey(['leads:read']);
    const { status, body } = await program.get(
      `/v2/leads/x/follower-graph?handle=${handle}&limit=100`,
      leads,
    );
    expect(status).toBe(200);
    expect(body.data).toHaveLength(Math.min(100, followers));
  });

  it('reads from the pages what the world shows of each follower', async () => {
    const { handle, index, followers } = small();
    const { data } = await audit(program, key, { platform: 'x', handle });
    const { members } = truthOf(program, 'x', index, followers);
    const without = members.filter((member) => !seenOf('x', member).hasAvatar).length;
    expect(data.signals.without_picture).toBeCloseTo(without / members.length, 5);
    expect(observedOf({ platform: 'x', ...(members[0] as (typeof members)[number]) }).hasAvatar).toBe(
      members[0]?.hasAvatar,
    );
  });
});

describe('runFollowerAudit without a labelled sample', () => {
  let program: LiveProgram;
  let key: string;
  beforeAll(async () => {
    program = await createLiveProgram();
    key = await program.issueKey(['tools:run']);
  });
  afterAll(() => program.close());
  const largest = (platform: 'x' | 'bluesky') =>
    program.account(platform, (one) => isOpen(one) && one.followers > 300).handle;

  it('names the default model of X with its year, and how far it was off in other audiences', async () => {
    const { data, meta } = await audit(program, key, {
      platform: 'x',
      handle: largest('x'),
      sample_size: 300,
    });
    expect(data).toMatchObject({
      inactive_share: null,
      calibrated: true,
      calibration: { model: 'x-2017', year: 2017, transfer_error: { largest: expect.any(Number) } },
    });
    expect(data.suspicious_share.high).toBeGreaterThan(data.suspicious_share.low);
    expect(data.not_known.join()).toContain('abandoned');
    // Other accounts of the simulated world are unlike those of 2017.
    expect(meta.warnings).toEqual(expect.arrayContaining(['labels_of_other_lists', 'traits_outside_labels']));
  });

  it('gives classes but no prevalence on Bluesky, with a warning', async () => {
    const { data, meta } = await audit(program, key, {
      platform: 'bluesky',
      handle: largest('bluesky'),
      sample_size: 300,
    });
    expect(data).toMatchObject({
      suspicious_share: null,
      inactive_share: null,
      calibrated: false,
      calibration: null,
    });
    expect(data.classified.suspicious.high).toBeGreaterThan(data.classified.suspicious.low);
    expect(meta.warnings).toContain('uncalibrated');
  });
});
