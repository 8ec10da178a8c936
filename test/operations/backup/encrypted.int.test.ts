import { readdir, readFile, writeFile } from 'node:fs/promises';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { openedWith, sealedFor } from '../../../src/operations/backup/age.ts';
import { saveBackup } from '../../../src/operations/backup/backup.ts';
import { loadBackup } from '../../../src/operations/backup/restore.ts';
import { NOTHING_ERASED } from '../../../src/write/erasure/fence.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { createTestFolder, rowsOf } from './world.ts';

const signal = new AbortController().signal;
const targets: TestDatabase[] = [];
let program: TestProgram;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let own: string;

/** A file of identities with comments, as `age-keygen` makes it. */
const keyFile = async (name: string, ...identities: readonly string[]): Promise<string> => {
  const path = folder.of(name);
  await writeFile(path, ['# created: now', ...identities, ''].join('\n'), { mode: 0o600 });
  return path;
};

const restored = async (from: readonly string[], identity?: string): Promise<TestDatabase> => {
  const database = await createTestDatabase();
  targets.push(database);
  await loadBackup({ db: database.db, logger: silentLogger, config: {} as never }, from, {
    signal,
    ...(identity === undefined ? {} : { open: await openedWith(identity) }),
    onChecked: () => undefined,
    onLoaded: () => undefined,
  });
  return database;
};

const save = async (out: string, recipients: readonly string[], since?: string): Promise<void> => {
  const { db } = program.database;
  const source = { db, log: program.log, fence: NOTHING_ERASED, config: { EVENT_LOG_URL: undefined } };
  const seal = await sealedFor(recipients);
  await saveBackup(source, folder.of(out), { seal, since, signal, onProgress: () => undefined });
};

beforeAll(async () => {
  folder = await createTestFolder();
  program = await createTestProgram();
  await live(program.log, 5, 1_500);
  await program.append('x', 'ada', sighted('ada', '2026-10-01T00:00:00.000Z', { bio: 'biocanary' }));
  own = await generateIdentity();
  await save('first', [await identityToRecipient(own)]);
  await program.append('x', 'ada', sighted('ada', '2026-10-02T00:00:00.000Z', { bio: 'later' }));
  await save(
    'second',
    [await identityToRecipient(await generateIdentity()), await identityToRecipient(own)],
    folder.of('first'),
  );
});
afterAll(async () => {
  await program.close();
  for (const each of targets) await each.drop();
  await folder.remove();
});

it('an encrypted backup and what continues it are restored row by row with an identity that they are for', async () => {
  const path = await keyFile('keys.txt', await generateIdentity(), own);
  const database = await restored([folder.of('first'), folder.of('second')], path);
  expect(await rowsOf(database.db)).toEqual(await rowsOf(program.database.db));
});

it('every file of an encrypted backup but the manifest is one of age', async () => {
  for (const name of await readdir(folder.of('first'))) {
    const text = (await readFile(`${folder.of('first')}/${name}`)).toString('latin1');
    // Digests have these letters too, within longer words.
    if (name === 'manifest.json') expect(text).not.toMatch(/\bada\b/);
    else expect(text, name).toMatch(/^age-encryption\.org\/v1\n-> X25519 /);
  }
});

it('without an identity, with that of another, or with a file that has none, nothing is restored', async () => {
  const other = await keyFile('other.txt', await generateIdentity());
  const wrong = await keyFile('wrong.txt', 'AGE-SECRET-KEY-1WRONG');
  for (const [identity, message] of [
    [undefined, 'no identity was given'],
    [other, 'encrypted for others'],
    [wrong, 'a line is no identity of age'],
    [folder.of('nowhere'), 'ENOENT'],
  ] as const) {
    const tried = restored([folder.of('first')], identity);
    await expect(tried).rejects.toMatchObject({
      code: 'backup_sealed',
      message: expect.stringContaining(message),
    });
    const left = await rowsOf((targets.at(-1) as TestDatabase).db);
    expect(left['log.events'] ?? []).toEqual([]);
  }
  await expect(openedWith(wrong)).rejects.not.toThrow('1WRONG');
});

it.each(['', 'age1wrong', 'ssh-ed25519 AAAA'])('%j is no recipient', async (recipient) => {
  await expect(sealedFor([recipient])).rejects.toMatchObject({ code: 'argument_invalid' });
});
