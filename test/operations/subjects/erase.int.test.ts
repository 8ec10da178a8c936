import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { accountNamed } from '../../../src/operations/account-name.ts';
import { saveBackup } from '../../../src/operations/backup/backup.ts';
import { loadBackup } from '../../../src/operations/backup/restore.ts';
import { reportProcess, WITHOUT_KEY } from '../../../src/operations/health/processes.ts';
import { copyProjection } from '../../../src/operations/projections/builds.ts';
import { carryOut, openErasure, previewSubject } from '../../../src/operations/subjects/erase.ts';
import { checkMirror, ledgerOf } from '../../../src/operations/subjects/ledger-file.ts';
import { reapplyErasures } from '../../../src/operations/subjects/reapply.ts';
import { checkReceipt, receiptKeysOf, receiptOf } from '../../../src/operations/subjects/receipts.ts';
import { listSubjects, searchTables } from '../../../src/operations/subjects/subjects.ts';
import { projections } from '../../../src/projections/registry.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { startErasures } from '../../../src/runtime/roles/erasures.ts';
import { VOIDING } from '../../../src/write/erasure/subject.ts';
import { archiveEvents } from '../../../src/write/log/archive.ts';
import { openArchiveStore } from '../../../src/write/log/archive-store.ts';
import { decodeMessage, partitionFor, readEnvelope, TOPICS } from '../../../src/write/messaging/message.ts';
import { readRelayCheckpoint, runRelay } from '../../../src/write/messaging/relay.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openNode, type TestNode } from '../../support/eventstore/server.ts';
import { describeWithKafka, listen, openTestKafka, type TestKafka } from '../../support/kafka.ts';
import { posted, sighted } from '../../support/program.ts';
import {
  account,
  ada,
  append,
  at,
  CANARIES,
  closeRuntime,
  closeSubjectRuntimes,
  databases,
  differencesOf,
  dying,
  endInEachPart,
  fill,
  NAMES,
  OPTIONS,
  projected,
  READ,
  reopen as reopenSubjects,
  SUBJECT_KEY,
} from '../../support/subjects.ts';
import { until } from '../../support/wait.ts';

const signal = new AbortController().signal;

const LOGS = ['Postgres', 'EventStoreDB'] as const;
type LogKind = (typeof LOGS)[number];

/** A suite over both logs. Readers of EventStoreDB learn once a second how far they are, so that its erasures take long. */
const describeWithBoth = (name: string, suite: (kind: LogKind) => void, isLong = false): void => {
  for (const kind of LOGS)
    describe(
      `with the log in ${kind}, ${name}`,
      isLong || kind === 'EventStoreDB' ? { tags: 'long' } : {},
      () => suite(kind),
    );
};

const canariesIn = (text: string) => CANARIES.filter((canary) => text.includes(canary));

/** Nodes of EventStoreDB by the database that is beside them. */
const nodes = new Map<string, TestNode>();
/** A database, and a node if the log is to be there. */
const create = async (log: LogKind, template: 'built' | 'migrated' = 'built'): Promise<string> => {
  const database = await createTestDatabase(2, template);
  databases.push(database);
  if (log === 'EventStoreDB') nodes.set(database.url, await openNode());
  return database.url;
};
/** A runtime on a database, with the log where that one has it. */
const reopen = (
  url: string,
  keys: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<Runtime> => {
  const node = nodes.get(url);
  return reopenSubjects(url, keys, { ...(node === undefined ? {} : { EVENT_LOG_URL: node.url }), ...more });
};
const open = async (log: LogKind, more: Readonly<Record<string, string>> = {}): Promise<Runtime> =>
  reopen(await create(log), SUBJECT_KEY, more);

const erase = async (runtime: Runtime, text: string): Promise<void> => {
  await openErasure(runtime, accountNamed(text));
  expect(await carryOut(runtime, { signal })).toBe(1);
};

/** All that readers get of the log, as text. */
const textOfLog = async ({ log }: Runtime): Promise<string> => {
  const events: unknown[] = [];
  for await (const page of log.readAll(0n, { raw: true })) events.push(page.events.map(({ data }) => data));
  return JSON.stringify(events).toLowerCase();
};

/** Appends, and says how many of them the log took. */
const taken = async ({ log }: Runtime, work: () => Promise<unknown>): Promise<number> => {
  const head = await log.head();
  await work();
  let events = 0;
  for await (const page of log.readAll(head, { raw: true })) events += page.events.length;
  return events;
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-erasure-'));
});
afterAll(async () => {
  await closeSubjectRuntimes();
  for (const node of nodes.values()) await node.close();
  await rm(folder, { recursive: true });
});

describeWithBoth('an erased account', (kind) => {
  let runtime: Runtime;
  let backup: string;
  beforeAll(async () => {
    backup = join(folder, `before-${kind}`);
    runtime = await open(kind);
    await fill(runtime);
    await projected(runtime);
    await saveBackup(runtime, backup, OPTIONS as never);
    await copyProjection(runtime, 'directory', { into: 'as_it_was' }, OPTIONS);
    await erase(runtime, 'x:ada_canary');
  });

  it('is named by no row of any table, but by the list of those that feeds tell of', async () => {
    expect(await searchTables(runtime.db, NAMES)).toEqual([]);
    const { rows } = await runtime.db.query(sql`select native_id, handles from erasure.open`);
    expect(rows).toEqual([{ native_id: '990017001', handles: ['ada_canary', 'ada_before'] }]);
  });

  it('leaves others as they are, who have her former handle or named her', async () => {
    const [other] = await runtime.log.readStream('account-x:ada_before', { from: 2n });
    expect(other?.data).toMatchObject({ profile: { id: '42', display_name: 'Another' } });
    const [friend, posts] = await runtime.log.readStream('account-x:friend');
    expect(friend?.data).toMatchObject({
      profile: { bio: 'married to @…', links: ['https://friend.example/'] },
    });
    expect(posts?.data).toMatchObject({ posts: [{ text: 'with @… at …', mentions: [], reply_to: null }] });
    const [list] = await runtime.log.readStream('follows-x:friend');
    expect(list?.data).toMatchObject({ members: [{ id: '42' }] });
  });

  it.each(projections.map(({ name }) => name))(
    'is in no rebuild of %s, which equals what is served',
    async (name) => {
      await projected(runtime);
      expect(await differencesOf(runtime, name)).toEqual([]);
    },
  );

  it('is refused by the log under every name, and others are not', async () => {
    const append = (handle: string, minute: number, profile: object) =>
      taken(runtime, () => account(runtime, 'x', handle, sighted(handle, at(minute), profile)));
    expect(await append('ada_new', 20, ada)).toBe(0);
    expect(await append('ada_canary', 21, { ...ada, id: null })).toBe(0);
    expect(await append('ada_canary', 22, { id: '43' })).toBe(1);
  });

  it('has a receipt that its key confirms, and stands in the list', async () => {
    const [state] = await listSubjects(runtime);
    expect(state).toMatchObject({ state: 'forgotten', platform: 'x' });
    expect(state?.events).toBeGreaterThan(5);
    expect(state?.references).toBeGreaterThan(3);
    const text = JSON.stringify(await receiptOf(runtime, state as never), null, 2);
    const keys = JSON.stringify({ keys: await receiptKeysOf(runtime) });
    expect(checkReceipt(text, keys)).toMatchObject({ subject: state?.subject, state: 'forgotten' });
  });

  it('does not come back with an older backup and the ledger', async () => {
    const restored = await reopen(await create(kind, 'migrated'), SUBJECT_KEY);
    const erasures = await ledgerOf(runtime);
    await loadBackup(restored, [backup], {
      signal,
      erasures: erasures ?? undefined,
      onChecked: () => undefined,
      onLoaded: () => undefined,
    });
    expect(await reapplyErasures(restored, OPTIONS)).toBe(1);
    expect(await searchTables(restored.db, NAMES)).toEqual([]);
    await restored.fence.refresh();
    expect(canariesIn(await textOfLog(restored))).toEqual([]);
    expect(await reapplyErasures(restored, OPTIONS)).toBe(0);
  });

  it('lets nothing start without the key, or with another', async () => {
    const { url } = runtime;
    await expect(reopen(url, undefined)).rejects.toThrow('ERASURE_KEY is not set');
    await expect(reopen(url, Buffer.alloc(32, 8).toString('base64'))).rejects.toThrow('not the key');
  });

  it('is in no list of others either if it has none of its own', async () => {
    const names = { platform: 'x' as const, nativeId: null, handles: ['fan_canary', '990017002'] };
    await account(runtime, 'x', 'fan_canary', sighted('fan_canary', at(30), { id: '990017002' }));
    await append(runtime, 'follows-x:friend', {
      type: 'FollowsSighted',
      data: {
        ...READ,
        observed_at: at(31),
        direction: 'followers',
        owner: '7',
        sweep: '01a20253-e8b7-7fbe-97e0-f6d430ff7814',
        page: 0,
        members: [{ id: '990017002', handle: 'fan_canary' }],
        order: 'newest_first',
        done: false,
        capped: false,
      },
    });
    await projected(runtime);
    expect(await searchTables(runtime.db, names)).not.toEqual([]);
    await erase(runtime, 'x:fan_canary');
    expect(await searchTables(runtime.db, names)).toEqual([]);
    expect(await differencesOf(runtime, 'follows')).toEqual([]);
  });
});

describeWithBoth('a mirror', (kind) => {
  it('has digests and no names, and refuses a database that lacks an erasure', async () => {
    const path = join(folder, `mirror-${kind}.json`);
    const mirrored = await open(kind, { ERASURE_MIRROR: path });
    await expect(checkMirror(mirrored)).resolves.toBeUndefined();
    await fill(mirrored);
    await projected(mirrored);
    await erase(mirrored, 'x:ada_canary');
    const text = (await readFile(path, 'utf8')).toLowerCase();
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
    await expect(checkMirror(mirrored)).resolves.toBeUndefined();
    await expect(checkMirror(await open(kind, { ERASURE_MIRROR: path }))).rejects.toThrow('lacks 1 erasures');
    await writeFile(path, '{}');
    await expect(checkMirror(mirrored)).rejects.toThrow("can't be read");
  });
});

describeWithBoth('an erasure whose command ended', (kind) => {
  it('is carried out by the service', async () => {
    const served = await open(kind);
    await fill(served);
    await projected(served);
    await openErasure(served, accountNamed('x:ada_canary'));
    const role = startErasures(served);
    await until('it is forgotten', async () => (await listSubjects(served))[0]?.state === 'forgotten');
    await role.stop();
    expect(await searchTables(served.db, NAMES)).toEqual([]);
  });
});

describe('with the log in EventStoreDB, read models', { tags: 'long' }, () => {
  it('equal a rebuild before and after a scavenge, also if somebody had the handle before the account', async () => {
    const of = await open('EventStoreDB');
    await account(of, 'x', 'ada_canary', sighted('ada_canary', at(0), { id: '41', display_name: 'Former' }));
    await account(of, 'x', 'ada_canary', posted(at(0), { id: '9', text: 'former words', at: at(0) }));
    await fill(of);
    await projected(of);
    await erase(of, 'x:id:990017001');
    for (const step of ['truncated', 'scavenged']) {
      if (step === 'scavenged') nodes.get(of.url)?.store.scavenge();
      await projected(of);
      for (const { name } of projections)
        expect(await differencesOf(of, name), `${name} ${step}`).toEqual([]);
      // The handle is the former owner's too.
      expect(canariesIn(await textOfLog(of)), step).toEqual(['ada_canary']);
    }
    const events = await of.log.readStream('account-x:ada_canary');
    expect(events.map(({ type }) => type)).toEqual(['AccountSighted', 'PostsSighted', 'AccountErased']);
    expect(events[0]?.data).toMatchObject({ profile: { id: '41', display_name: 'Former' } });
    // What others say of her stays in the records; what is hers does not.
    const records = nodes
      .get(of.url)
      ?.store.records.map(({ data }) => Buffer.from(data).toString())
      .join('');
    const own = CANARIES.filter((canary) => !['ada_canary', '990017001'].includes(canary));
    expect(own.filter((canary) => records?.toLowerCase().includes(canary))).toEqual([]);
  });

  it('equal a rebuild of a log that was restored from a backup made after the erasure', async () => {
    const of = await open('EventStoreDB');
    await fill(of);
    await projected(of);
    await erase(of, 'x:ada_canary');
    const backup = join(folder, 'after');
    await saveBackup(of, backup, OPTIONS as never);
    const restored = await reopen(await create('EventStoreDB', 'migrated'), SUBJECT_KEY);
    const loading = { signal, onChecked: () => undefined, onLoaded: () => undefined };
    await loadBackup(restored, [backup], loading);
    await restored.fence.refresh();
    const revisions = async ({ log }: Runtime) =>
      (await log.readStream('account-x:ada_before')).map(({ type, revision }) => ({ type, revision }));
    expect(await revisions(restored)).toEqual(await revisions(of));
    const records = nodes.get(restored.url)?.store.records.map(({ data }) => Buffer.from(data).toString());
    expect(canariesIn((records ?? []).join('').toLowerCase())).toEqual([]);
    // The handle begins anew there.
    const event = { id: uuidV7(Date.now()), ...sighted('ada_canary', at(30), { id: '44' }) };
    expect(await restored.log.append('account-x:ada_canary', [event], 'no_stream')).toMatchObject({
      revision: 0n,
    });
    expect(await restored.log.readStream('account-x:ada_canary')).toMatchObject([{ id: event.id }]);
  });
});

describe('an erasure that is only looked at', () => {
  it('changes nothing, so that processes without the key go on', async () => {
    const fresh = await open('Postgres');
    await fill(fresh);
    await projected(fresh);
    const { nativeId, handles } = await previewSubject(fresh, accountNamed('x:ada_canary'));
    expect({ nativeId, handles }).toEqual({ nativeId: '990017001', handles: ['ada_canary', 'ada_before'] });
    await expect(reopen((databases.at(-1) as TestDatabase).url, undefined)).resolves.toBeDefined();
  });

  it('is refused while a process that lives has no key', async () => {
    const fresh = await open('Postgres');
    const process = { id: 'p', host: 'alpha', roles: ['crawl'], requests: null, failed: null };
    await reportProcess(fresh.db, {
      ...process,
      disk_free: null,
      disk_hours_left: null,
      erasures: WITHOUT_KEY,
      console: null,
    });
    await expect(openErasure(fresh, accountNamed('x:ada_canary'))).rejects.toThrow(
      'alpha (crawl) runs without',
    );
  });
});

await describeWithKafka('with Kafka', () => {
  let kafka: TestKafka;
  beforeAll(async () => {
    kafka = await openTestKafka();
  });
  afterAll(() => kafka.close());

  /** Publishes all that the log has. @returns the position up to which it is published. */
  const relayed = async ({ db, url, log }: Runtime): Promise<bigint> => {
    const stop = new AbortController();
    const options = { db, connectionString: url, log, messaging: kafka.messaging, logger: silentLogger };
    const running = runRelay({ ...options, signal: stop.signal, retentionMs: 7 * 86_400_000 });
    const head = await log.head();
    const position = async () => (await readRelayCheckpoint(db))?.position ?? 0n;
    await until('all is published', async () => (await position()) >= head);
    stop.abort();
    await running;
    return position();
  };

  it.each(LOGS)(
    'and the log in %s, what is published after an erasure names nobody who was erased',
    {
      tags: 'long',
    },
    async (kind) => {
      const of = await open(kind);
      await fill(of);
      await projected(of);
      const before = await relayed(of);
      // The relay is behind when she is erased.
      await account(
        of,
        'x',
        'ada_canary',
        posted(at(14), { id: '4', text: 'another postcanary', at: at(13) }),
      );
      await account(
        of,
        'x',
        'friend',
        posted(at(15), { id: '5', text: 'again with @ada_canary', at: at(14) }),
      );
      await append(of, 'members-x:seed-x', {
        type: 'MembersRecruited',
        data: {
          observed_at: at(16),
          members: [{ handle: 'ada_canary', via: 'mention', from: 'account-x:friend', depth: 1 }],
        },
      });
      await projected(of);
      await erase(of, 'x:ada_canary');
      await relayed(of);
      const topics = TOPICS.map(({ topic }) => topic);
      const ear = listen(kafka.messaging, topics, `erased-${kind}`);
      const logId = (await readRelayCheckpoint(of.db))?.logId;
      const own = () => ear.received.filter(({ message }) => readEnvelope(message).logId === logId);
      const wanted = new Set<bigint>();
      for await (const page of of.log.readAll(0n, { raw: true }))
        for (const { stream, position } of page.events)
          if (partitionFor(stream) !== null && position > before) wanted.add(position);
      const heard = () => new Set(own().map(({ message }) => readEnvelope(message).position));
      await until('all is heard', () => wanted.isSubsetOf(heard()));
      await ear.close();
      const parts = own().map(({ message }) => ({
        isAfter: readEnvelope(message).position > before,
        type: decodeMessage(message).type,
        text: `${message.key} ${message.value} ${JSON.stringify(message.headers)}`.toLowerCase(),
      }));
      const named = parts.filter(({ text }) => canariesIn(text).length > 0);
      expect(named.some(({ isAfter }) => !isAfter)).toBe(true);
      // What tells of an erasure stands in the stream of the account, whose name goes with the log in Postgres alone.
      const later = named.filter(({ isAfter }) => isAfter).filter(({ type }) => !VOIDING.has(type));
      expect(later).toEqual([]);
      const told = parts.filter(({ isAfter, type }) => isAfter && type === 'AccountErased');
      expect(told.length).toBeGreaterThan(0);
      expect(parts.some(({ isAfter, text }) => isAfter && text.includes('again with @…'))).toBe(true);
    },
  );
});

describe('an archive', () => {
  it('is written anew without an erased account, and its former files are removed', {
    tags: 'long',
  }, async () => {
    const place = join(folder, 'archive');
    const archived = await open('Postgres', { LOG_ARCHIVE: place });
    const { db, log } = archived;
    await fill(archived);
    await projected(archived);
    const store = await openArchiveStore({ LOG_ARCHIVE: place });
    await archiveEvents({ db, log, store }, { ...OPTIONS, to: await log.head() });
    const files = async () => readdir(place, { recursive: true, withFileTypes: true });
    const textOf = async (): Promise<string> => {
      const texts = (await files())
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) =>
          zstdDecompressSync(await readFile(join(parentPath, name))).toString(),
        );
      return (await Promise.all(texts)).join('').toLowerCase();
    };
    expect(canariesIn(await textOf())).toEqual(CANARIES);
    await erase(archived, 'x:ada_canary');
    expect(canariesIn(await textOf())).toEqual([]);
    expect(await searchTables(db, NAMES)).toEqual([]);
    const [friend] = await log.readStream('account-x:friend');
    expect(friend?.data).toMatchObject({ profile: { bio: 'married to @…' } });
    for (const name of ['directory', 'posts', 'people'])
      expect(await differencesOf(archived, name)).toEqual([]);
  });
});

const PARTS = 8;

describeWithBoth('an erasure that ends at any statement', (kind) => {
  it('is taken up, forgets all, and leaves read models as a rebuild makes them', {
    tags: 'long',
  }, async () => {
    const random = seededRandom(20261128);
    const endedAfter = async (after: number): Promise<number> => {
      const killed = await open(kind);
      await fill(killed);
      await projected(killed);
      await openErasure(killed, accountNamed('x:ada_canary'));
      const dead = dying(killed, after);
      await carryOut(dead, { signal }).catch((error: unknown) => {
        expect(String(error)).toContain('the process is gone');
      });
      await carryOut(killed, { signal });
      expect(await searchTables(killed.db, NAMES), `after ${after} statements`).toEqual([]);
      await projected(killed);
      for (const name of ['accounts', 'directory', 'posts', 'people', 'frontier', 'follows', 'listings'])
        expect(await differencesOf(killed, name), `${name} after ${after} statements`).toEqual([]);
      expect((await listSubjects(killed)).map(({ state }) => state)).toEqual(['forgotten']);
      await closeRuntime(killed);
      return dead.used();
    };
    await endInEachPart(PARTS, random, endedAfter);
  });
});
