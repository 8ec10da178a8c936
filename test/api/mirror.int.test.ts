import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../src/kernel/platform.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { live } from '../support/generated-histories.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { liveRestlessly } from '../support/restless-accounts.ts';

interface Change {
  readonly platform: string;
  readonly id: string | null;
  readonly handle: string | null;
  readonly kind: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What the feed lets a customer know of an entry. */
interface Entry {
  readonly platform: string;
  id: string | null;
  handle: string | null;
  status: string;
  verified: boolean | null;
  display_name: string | null;
  bio: string | null;
  avatar_url: string | null;
  location: string | null;
  links: readonly string[];
  created_at: string | null;
  previous_handles: readonly string[];
}

/** A copy of the catalog, kept as the documentation of the feed says. */
class Mirror {
  entries: Entry[] = [];

  apply(change: Change): void {
    const { platform, id, handle, kind, before, after } = change;
    const rest = this.entries.filter((entry) => entry.platform === platform);
    if (kind === 'discovered') {
      this.entries.push({
        platform,
        previous_handles: [],
        ...(after as Omit<Entry, 'platform' | 'previous_handles'>),
      });
      return;
    }
    const found =
      rest.find((entry) => id !== null && entry.id === id) ??
      rest.find((entry) => entry.id === null && entry.handle === (kind === 'renamed' ? before : handle));
    if (found === undefined) throw new Error(`no entry for ${JSON.stringify(change)}`);
    switch (kind) {
      case 'renamed': {
        const [former, present] = [before as string | null, after as string | null];
        found.handle = present;
        const all = [...new Set([...found.previous_handles, ...(former === null ? [] : [former])])];
        found.previous_handles = all.filter((one) => one !== present);
        // It was found to be the same account as another entry.
        if (id === null && present === null) this.entries = this.entries.filter((entry) => entry !== found);
        break;
      }
      case 'verified':
      case 'unverified':
        found.verified = after as boolean | null;
        break;
      case 'profile':
        Object.assign(found, after);
        break;
      case 'jumped':
        break;
      default:
        found.status = after as string;
    }
  }
}

let program: TestProgram;
let key: string;
const mirror = new Mirror();
let cursor: string | undefined;

const follow = async () => {
  for (;;) {
    const query = `limit=1000${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await program.get(`/v2/directory/changes?${query}`, key);
    expect(status).toBe(200);
    for (const change of body.data) mirror.apply(change);
    cursor = body.meta.resume_cursor;
    if (body.meta.next_cursor === null) return;
  }
};

const catalog = async (): Promise<Entry[]> => {
  const all: Entry[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page: { body: { data: Entry[]; meta: { next_cursor: string | null } } } = await program.get(
      `/v2/directory?limit=100${next === '' ? '' : `&cursor=${next}`}`,
      key,
    );
    all.push(...page.body.data);
    next = page.body.meta.next_cursor;
  }
  return all;
};

const comparable = (entries: readonly Entry[]) =>
  entries
    .map((entry) =>
      JSON.stringify([
        entry.platform,
        entry.id,
        entry.handle,
        entry.status,
        entry.verified,
        entry.display_name,
        entry.bio,
        entry.avatar_url,
        entry.location,
        entry.links,
        entry.created_at,
        entry.previous_handles,
      ]),
    )
    .sort();

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
});
afterAll(() => program.close());

describe('a mirror fed only by the changes of the directory', () => {
  it('equals the directory except for counts and times, after every part of any history', async () => {
    for (let n = 0; n < 6; n++) {
      await live(program.log, 11 + n, 150, n * 150);
      const at = {
        platform: 'x' as Platform,
        prefix: `m${n}h`,
        idOf: (account: number) => `${500 + 10 * n + account}`,
      };
      await liveRestlessly(program.log, seededRandom(40 + n), at, program.project);
      await program.project();
      await follow();
      expect(comparable(mirror.entries)).toEqual(comparable(await catalog()));
    }
    expect(mirror.entries.length).toBeGreaterThan(40);
  });

  it('can start now and receives what comes later', async () => {
    const begun = await program.get('/v2/directory/changes?after=now', key);
    expect(begun.body.data).toEqual([]);
    expect(begun.body.meta.next_cursor).toBeNull();
    const since = `/v2/directory/changes?cursor=${begun.body.meta.resume_cursor}`;
    expect((await program.get(since, key)).body.data).toEqual([]);
    await live(program.log, 99, 60, 2_000);
    await program.project();
    const { rows } = await program.database.db.query<{ n: string }>(
      `select count(*) as n from ${program.builds.schema('directory')}.changes`,
    );
    const heard = (await program.get(`${since}&limit=1000`, key)).body.data.length;
    expect(heard).toBeGreaterThan(0);
    expect(heard).toBeLessThan(Number(rows[0]?.n));
    const refused = await program.get(
      `/v2/directory/changes?after=now&cursor=${begun.body.meta.resume_cursor}`,
      key,
    );
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
  });

  it('pays a unit per hundred rows begun, at least one', async () => {
    const costOf = async (query: string) => {
      const { headers, body } = await program.get(`/v2/directory/changes?${query}`, key);
      return [Number(headers['x-request-cost']), body.data.length];
    };
    const [cost, rows] = (await costOf('limit=1000')) as [number, number];
    expect(rows).toBeGreaterThan(200);
    expect(cost).toBe(Math.ceil(rows / 100));
    expect(await costOf('limit=101')).toEqual([2, 101]);
    expect(await costOf('limit=100')).toEqual([1, 100]);
    expect(await costOf('limit=1000&after=now')).toEqual([1, 0]);
  });
});
