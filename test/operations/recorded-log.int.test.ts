import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { loadIntoPostgres } from '../../src/operations/backup/restore-log.ts';
import { exportEvents, ndjsonWriter } from '../../src/operations/events/export.ts';
import type { Handler } from '../../src/operations/events/handler.ts';
import { replay } from '../../src/operations/events/replay.ts';
import { selectionOf } from '../../src/operations/events/selection.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { projections } from '../../src/projections/registry.ts';
import { verify } from '../../src/projections/verify/verify.ts';
import { decodeDigest } from '../../src/projections/views/posts/digest.ts';
import type { Post } from '../../src/write/accounts/post.ts';
import type { Profile } from '../../src/write/accounts/reading.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec/validating-log.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** The log of a demonstration by version 0.1.0, as it stored its events. */
const RECORDED = new URL('../fixtures/recorded-logs/demo-0.1.0.ndjson.zst', import.meta.url);

interface Line {
  readonly stream: string;
  readonly type: string;
  readonly data: { readonly posts?: readonly Post[]; readonly profile?: Profile; readonly status?: string };
  readonly metadata: { readonly version?: number };
}

let database: TestDatabase;
let log: EventLog;
let lines: readonly string[];
let raw: readonly Line[];
const schemas = new Map<string, string>();

const signal = new AbortController().signal;

beforeAll(async () => {
  const text = await promisify(zstdDecompress)(await readFile(RECORDED));
  lines = text.toString().split('\n').filter(Boolean);
  raw = lines.map((line) => JSON.parse(line) as Line);
  database = await createTestDatabase();
  await loadIntoPostgres(
    database.db,
    (async function* () {
      yield lines;
    })(),
    true,
    () => undefined,
  );
  log = withValidation(createPostgresLog(database.db, database.url, silentLogger), eventTypes);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});

const number = async (sql: string): Promise<number> => {
  const { rows } = await database.db.query<{ n: string }>(sql);
  return Number(rows[0]?.n);
};

/** The accounts of the directory: by native ID, or by handle where none was shown. */
const knownAccounts = (): ReadonlySet<string> => {
  const ofDirectory = raw.filter(({ stream }) => !stream.startsWith('account-linkedin:'));
  const sighted = ofDirectory.filter(({ type }) => type === 'AccountSighted');
  const seen = new Set(sighted.map(({ stream }) => stream));
  const hidden = ofDirectory.filter(
    ({ type, stream, data: { status } }) =>
      type === 'AccountUnavailable' && status !== 'absent' && !seen.has(stream),
  );
  return new Set(
    [...sighted, ...hidden].map(({ stream, data: { profile } }) => {
      const [platform] = stream.slice('account-'.length).split(':');
      return profile?.id == null ? stream : `${platform} ${profile.id}`;
    }),
  );
};

const recordedPosts = (): ReadonlySet<string> =>
  new Set(raw.flatMap(({ stream, data: { posts = [] } }) => posts.map(({ id }) => `${stream} ${id}`)));

describe('a log that an earlier version recorded', () => {
  it('has events of earlier versions, as they were stored', () => {
    const versions = new Set(raw.map(({ type, metadata: { version = 1 } }) => `${type} ${version}`));
    expect(versions).toContain('PostsSighted 2');
    expect(eventTypes.PostsSighted.version).toBeGreaterThan(2);
  });

  it('is folded into every read model, and each is verified', async () => {
    const options = { db: database.db, log, logger: silentLogger, signal };
    for (const projection of projections) {
      const { schema } = await rebuild(projection, { ...options, graceMs: 0 });
      schemas.set(projection.name, schema);
      const found = await verify(projection, { ...options, max: 5 });
      expect(found.differences, projection.name).toEqual([]);
      // That version recorded no leads, follower lists or listings.
      if (['follows', 'ladders', 'leads', 'listings'].includes(projection.name)) expect(found.equal).toBe(0);
      else expect(found.equal, projection.name).toBeGreaterThan(1);
    }
    expect(await number('select count(*) as n from projections.stalls')).toBe(0);
  });

  it('has its accounts and posts in the read models, none missing and none twice', async () => {
    const [accounts, posts] = [knownAccounts(), recordedPosts()];
    expect(accounts.size).toBeGreaterThan(1_000);
    expect(posts.size).toBeGreaterThan(20_000);
    expect(await number(`select count(*) as n from ${schemas.get('directory')}.entries`)).toBe(accounts.size);
    expect(
      await number(
        `select sum((chunk ->> 1)::int) as n from ${schemas.get('posts')}.accounts, jsonb_array_elements(chunks) chunk`,
      ),
    ).toBe(posts.size);
    const { rows } = await database.db.query<{ platform: string; handle: string; digest: Buffer }>(
      `select platform, handle, digest from ${schemas.get('posts')}.accounts`,
    );
    const inDigests = rows.flatMap(({ platform, handle, digest }) =>
      decodeDigest(digest).posts.map(({ id }) => `account-${platform}:${handle} ${id}`),
    );
    expect(inDigests.length).toBe(posts.size);
    expect(new Set(inDigests)).toEqual(posts);
  });

  it('is exported event by event, and replayed through a handler', async () => {
    const selection = await selectionOf(log, {});
    const reading = { signal, onProgress: () => undefined };
    const exported: string[] = [];
    const target = { write: async (text: string | Uint8Array) => void exported.push(String(text)) };
    expect(await exportEvents(log, selection, ndjsonWriter(target as never), reading)).toBe(lines.length);
    const written = exported.join('').split('\n').filter(Boolean);
    expect(written.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(
      lines.map((line) => (JSON.parse(line) as { id: string }).id),
    );
    const counter: Handler<{ events: number; posts: number; likes: number }> = {
      initial: { events: 0, posts: 0, likes: 0 },
      apply: (state, event) => {
        state.events += 1;
        if (event.type === 'PostsSighted') {
          state.posts += event.data.posts.length;
          for (const { likes } of event.data.posts) state.likes += likes ?? 0;
        }
        return state;
      },
    };
    const { result, count } = await replay(log, selection, counter as Handler<unknown, unknown>, reading);
    expect(count).toBe(lines.length);
    const shown = raw.flatMap(({ data: { posts = [] } }) => posts);
    expect(result).toEqual({
      events: lines.length,
      posts: shown.length,
      likes: shown.reduce((sum, { likes }) => sum + (likes ?? 0), 0),
    });
  });
});
