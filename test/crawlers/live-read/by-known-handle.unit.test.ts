import { describe, expect, it } from 'vitest';
import { createLiveReader } from '../../../src/crawlers/live-read/reader.ts';
import type { Address, PlatformAdapter, Reading } from '../../../src/crawlers/platforms/adapter.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import type { KnownAccount } from '../../../src/read/accounts.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import type { EventLog } from '../../../src/write/log/port.ts';

const shown = (handle: string, id: string): Reading => ({
  status: 'present',
  profile: { ...emptyProfile(handle), id, followers: 5 },
  posts: null,
  measured: [],
  surface: 'page',
  warnings: [],
});
const verdict = (status: 'suspended' | 'absent'): Reading => ({ status, surface: 'page', warnings: [] });
const notById: Reading = {
  status: 'unknown',
  reason: 'not_configured',
  detail: 'no session',
  surface: 'page',
  warnings: [],
};

/** A live read of the ID 1, on a platform that answers so by ID and by handle. */
const readById = async (
  byId: Reading,
  byHandle: Reading | null,
  handle: string | null = 'ann',
  [platform, id]: readonly [Platform, string] = ['tiktok', '1'],
) => {
  const asked: Address[] = [];
  const streams: string[] = [];
  const adapter: PlatformAdapter = {
    ...adapterOf(platform),
    read: async (address) => {
      asked.push(address);
      return (address.kind === 'id' ? byId : byHandle) ?? notById;
    },
  };
  const reader = createLiveReader({
    adapterOf: () => adapter,
    http: { fetch: () => Promise.reject(new Error('no request')) },
    circuit: { openForMs: async () => 0 },
    log: {
      readStream: async () => [],
      append: async (stream: string) => {
        streams.push(stream);
        return { status: 'appended', revision: 0n, position: 1n };
      },
    } as unknown as EventLog,
    accounts: {
      verdict: async () => null,
      find: async ({ by }) =>
        by === 'id' && handle !== null
          ? ({ name: handle, handle, native_id: '1', status: 'active' } as KnownAccount)
          : null,
    },
    availability: { answers: async () => true },
    clock: { now: () => Date.UTC(2026, 1, 1) },
    nowMs: () => 0,
    concurrency: 1,
  });
  const call = { holder: 'h', requestId: 'r', untilMs: 10_000 };
  const answer = await reader
    .read(platform, { kind: 'id', id }, call)
    .then(({ reading }) => reading.status)
    .catch((error: { code?: string }) => error.code);
  return { answer, asked: asked.map(({ kind }) => kind), streams };
};

describe('a live read by an ID', () => {
  it('uses the catalog’s handle where the platform cannot be read by ID', async () => {
    expect(await readById(notById, shown('ann', '1'))).toEqual({
      answer: 'present',
      asked: ['id', 'handle'],
      streams: ['account-tiktok:ann'],
    });
  });

  it('rejects a reading of the handle with another ID or none', async () => {
    const alone = await readById(notById, null, null);
    for (const reading of [shown('ann', '2'), verdict('absent')]) {
      const { answer, streams } = await readById(notById, reading);
      // As if no handle were known: what a retry may help stays so.
      expect(answer).toBe(alone.answer);
      expect(streams).toEqual([]);
    }
  });

  it('accepts what the platform states of the handle if no other account had it', async () => {
    expect((await readById(notById, verdict('suspended'))).answer).toBe('suspended');
  });

  it('asks by ID alone where the platform answers', async () => {
    expect(await readById(shown('ann', '1'), shown('ann', '1'))).toMatchObject({ asked: ['id'] });
  });

  it('records a verdict on the ID with the catalog’s account', async () => {
    expect(await readById(verdict('suspended'), null)).toEqual({
      answer: 'suspended',
      asked: ['id'],
      streams: ['account-tiktok:ann'],
    });
    expect((await readById(verdict('suspended'), null, null)).streams).toEqual([]);
  });

  it.each([
    ['youtube', 'UCLA_DiR1FfKNvjuUpBHmylQ'],
    ['bluesky', 'did:plc:z72i7hdynmk6r22z27h6tvur'],
  ] as const)('records a verdict on an ID of %s, whose streams are named by it', async (platform, id) => {
    const { streams } = await readById(verdict('suspended'), null, null, [platform, id]);
    expect(streams).toEqual([`account-${platform}:${id}`]);
  });
});
