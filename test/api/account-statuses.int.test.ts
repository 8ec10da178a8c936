import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import type { AccountEvent } from '../../src/write/accounts/account.ts';
import { createLiveProgram, type LiveProgram } from '../support/live.ts';
import { sighted, unavailable } from '../support/program.ts';

let program: LiveProgram;
let key: string;

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** What the groups of operations answer of an account. */
interface Row {
  readonly events: readonly AccountEvent[];
  readonly status: string;
  readonly exists: boolean | null;
  /** Whether there is an entry: in the catalog, in the directory, among people. */
  readonly isListed: boolean;
  /** What a tool that takes an account answers, and an insight that takes readings of followers. */
  readonly figures: readonly [tool: number, insight: number];
  readonly warning: string | null;
  /** The basis of the catalog's answer that a name is taken; null if the platform has to be read. */
  readonly taken: string | null;
}

const seen = (handle: string, status: 'active' | 'private' = 'active') => {
  const profile = { id: `id-of-${handle}`, created_at: '2019-05-04T10:00:00.000Z' };
  return [
    sighted(handle, ago(50), { ...profile, followers: 4_000 }, status),
    sighted(handle, ago(9), { ...profile, followers: 5_000 }, status),
  ];
};

const shown = { exists: true, isListed: true, figures: [200, 200], warning: null, taken: 'account' } as const;
const hidden = { exists: true, isListed: true } as const;
const none = { exists: null, isListed: false, figures: [404, 404], warning: null, taken: null } as const;

const TABLE: Readonly<Record<string, Row>> = {
  active: { ...shown, events: seen('active'), status: 'active' },
  private: { ...shown, events: seen('private', 'private'), status: 'private' },
  ...Object.fromEntries(
    (['suspended', 'deactivated'] as const).flatMap((status): (readonly [string, Row])[] => [
      [
        status,
        {
          ...hidden,
          events: [...seen(status), unavailable(ago(1), status)],
          status,
          figures: [200, 200],
          warning: `account_${status}`,
          taken: status,
        },
      ],
      [
        `new_${status}`,
        {
          ...hidden,
          events: [unavailable(ago(1), status)],
          status,
          figures: [200, 422],
          warning: `account_${status}`,
          taken: status,
        },
      ],
    ]),
  ),
  absent: {
    events: [...seen('absent'), unavailable(ago(1), 'absent')],
    status: 'absent',
    exists: false,
    isListed: true,
    figures: [200, 200],
    warning: 'account_absent',
    taken: null,
  },
  new_absent: { ...none, events: [unavailable(ago(1), 'absent')], status: 'absent', exists: false },
  renamed: { ...none, events: seen('renamed'), status: 'renamed' },
  unknown: { ...none, events: [], status: 'unknown' },
};

beforeAll(async () => {
  program = await createLiveProgram();
  key = await program.issueKey([
    'accounts:read',
    'accounts:live',
    'directory:read',
    'insights:read',
    'people:read',
    'scrape:live',
    'tools:run',
  ]);
  for (const [handle, { events }] of Object.entries(TABLE))
    if (events.length > 0) await program.append('x', handle, ...events);
  await program.append('x', 'renamed_now', sighted('renamed_now', ago(2), { id: 'id-of-renamed' }));
  await program.project();
});
afterAll(() => program.close());

const each = Object.entries(TABLE);

describe('an account of each status', () => {
  it.each(each)('%s is present or absent alike in all groups of operations', async (handle, row) => {
    const { status, exists, isListed } = row;
    const check = (await program.get(`/v2/accounts/x/${handle}`, key)).body.data;
    expect(check).toMatchObject({ status, exists, in_catalog: isListed });
    const entry = await program.get(`/v2/directory/x/${handle}`, key);
    const person = await program.get(`/v2/people/lookup?platform=x&handle=${handle}`, key);
    expect([entry.status, person.status]).toEqual(isListed ? [200, 200] : [404, 404]);
    expect(check.last_seen_at).toBe(isListed ? entry.body.data.last_seen_at : null);
    expect(check.first_seen_at).toBe(isListed ? entry.body.data.first_seen_at : null);
    if (!isListed) return;
    expect(entry.body.data).toMatchObject({ handle, status });
    expect(person.body.data.accounts).toMatchObject([{ handle, status }]);
  });

  it.each(each)('%s has its last known figures, with a warning if it is gone', async (handle, row) => {
    const body = { platform: 'x', handle };
    const answers = [
      await program.post('/v2/tools/account-age', body, key),
      await program.get(`/v2/insights/x/${handle}/growth`, key),
    ];
    expect(answers.map(({ status }) => status)).toEqual(row.figures);
    for (const answer of answers.filter(({ status }) => status === 200)) {
      const { warnings } = answer.body.meta;
      expect(warnings.filter((one: string) => one.startsWith('account_'))).toEqual(
        row.warning === null ? [] : [row.warning],
      );
    }
  });

  it.each(each.filter(([, { taken }]) => taken !== null))('%s keeps its name', async (handle, { taken }) => {
    const { body } = await program.post('/v2/tools/handle-availability', { handle, platforms: ['x'] }, key);
    expect(body.data.items).toMatchObject([{ status: 'taken', basis: taken, source: 'catalog' }]);
  });
});

/** An account of each platform that has one of the status. */
const hiddenOn = (status: 'suspended' | 'deactivated'): readonly (readonly [Platform, string])[] => {
  const { world } = program.simulator;
  return PLATFORMS.flatMap((platform) => {
    const all = Array.from({ length: world.count(platform) }, (_, index) =>
      world.account(platform, index, Date.UTC(2026, 9, 1)),
    );
    const found = all.find((account) => account.status === status);
    return found === undefined ? [] : [[platform, found.handle] as const];
  });
};

describe('an account that its platform has but does not show', () => {
  it.each(['suspended', 'deactivated'] as const)(
    'exists in every operation that reads it: %s',
    async (status) => {
      let stated = 0;
      for (const [platform, handle] of hiddenOn(status)) {
        const path = `/v2/accounts/${platform}/${encodeURIComponent(handle)}/live`;
        const check = (await program.get(path, key)).body.data;
        // Surfaces of some platforms don't tell it from an absent one.
        if (check?.status !== status) continue;
        stated += 1;
        expect(check).toMatchObject({ exists: true, in_catalog: true, last_seen_at: expect.any(String) });
        await program.project();
        const again = (await program.get(path.replace('/live', ''), key)).body.data;
        expect({ ...again, stale_s: 0 }).toEqual({ ...check, stale_s: 0 });
        for (const tool of ['follower-audit', 'shadowban-check']) {
          const { status: code, body } = await program.post(`/v2/tools/${tool}`, { platform, handle }, key);
          if (code === 400) continue;
          expect([code, body.error.code], `${tool} on ${platform}`).toEqual([422, 'insufficient_data']);
          expect(body.error.details).toEqual([{ path: 'status', message: `is ${status}, needs active` }]);
        }
      }
      expect(stated).toBeGreaterThan(0);
    },
  );
});

describe('an account that a live read finds under a new name', () => {
  const FORMER = 'zz_was_here_1';

  it.each(['x', 'instagram', 'youtube', 'tiktok'] as const)(
    'is as old as the catalog knows it: %s',
    async (platform) => {
      const { handle, id } = program.account(platform, ({ status }) => status === 'active');
      const at = ago(200);
      await program.append(platform, FORMER, sighted(FORMER, at, { id }));
      await program.project();
      const path = `/v2/accounts/${platform}/${handle}`;
      const live = (await program.get(`${path}/live`, key)).body.data;
      expect(live).toMatchObject({ handle, first_seen_at: at });
      if (platform === 'x') {
        const { body } = await program.get(`/v2/scrape/x/user?handle=${handle}`, key);
        expect(body.data).toMatchObject({ handle, first_seen_at: at });
      }
      await program.project();
      expect((await program.get(path, key)).body.data.first_seen_at).toBe(at);
    },
  );

  it('is named by the tools that read the platform', async () => {
    const { handle } = program.account('x', ({ status }) => status === 'active');
    for (const tool of ['follower-audit', 'shadowban-check', 'trust-report']) {
      const { status, body } = await program.post(
        `/v2/tools/${tool}`,
        { platform: 'x', handle: FORMER },
        key,
      );
      expect([status, body.error.code, body.error.details?.[0]?.renamed_to], tool).toEqual([
        404,
        'not_found',
        handle,
      ]);
    }
  });
});
