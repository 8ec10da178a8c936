import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { accountNamed } from '../../../src/operations/account-name.ts';
import { exportEvents, ndjsonWriter } from '../../../src/operations/events/export.ts';
import { destroyExport, listExports, noted } from '../../../src/operations/events/exports.ts';
import { carryOut, openErasure } from '../../../src/operations/subjects/erase.ts';
import { receiptOf } from '../../../src/operations/subjects/receipts.ts';
import { listSubjects, type SubjectState } from '../../../src/operations/subjects/subjects.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { EXPORTS_STREAM } from '../../../src/write/upkeep.ts';
import {
  closeSubjectRuntimes,
  fill,
  OPTIONS,
  openSubjectRuntime,
  projected,
} from '../../support/subjects.ts';

const signal = new AbortController().signal;
let runtime: Runtime;
beforeAll(async () => {
  runtime = await openSubjectRuntime();
  await fill(runtime);
  await projected(runtime);
});
afterAll(closeSubjectRuntimes);

/** Exports all events. @returns its ID and its text. */
const exported = async () => {
  const chunks: string[] = [];
  const target = {
    write: async (chunk: string | Uint8Array) => {
      chunks.push(String(chunk));
    },
  };
  const id = await noted(runtime.log, target, async (into) => {
    const count = await exportEvents(
      runtime.log,
      { after: 0n, to: await runtime.log.head(), filter: {} },
      ndjsonWriter(into),
      OPTIONS,
    );
    return { kind: 'events', type: null, count };
  });
  return { id, text: chunks.join('') };
};

it('an export is listed by the SHA-256 of its file, until then and after that an operator says that no copy is left', async () => {
  const { id, text } = await exported();
  expect(text).toContain('biocanary');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const count = text.trimEnd().split('\n').length;
  const listed = { export: id, kind: 'events', type: null, count, sha256 };
  expect(await listExports(runtime)).toMatchObject([{ ...listed, destroyed_at: null }]);
  const other = await exported();
  expect((await listExports(runtime)).map((each) => each.export)).toEqual([other.id, id]);
  for (let n = 0; n < 2; n++) await destroyExport(runtime, id);
  expect((await listExports(runtime))[1]).toMatchObject({ ...listed, destroyed_at: expect.any(String) });
  expect((await runtime.log.readStream(EXPORTS_STREAM)).map(({ type }) => type)).toEqual([
    'ExportMade',
    'ExportMade',
    'ExportDestroyed',
  ]);
  await expect(destroyExport(runtime, uuidV7(1))).rejects.toThrow('no such export');
});

it('an export that failed is not listed', async () => {
  const before = await listExports(runtime);
  const failing = noted(runtime.log, { write: () => Promise.reject(new Error('full')) }, async (into) => {
    await into.write('x');
    return { kind: 'subject', type: null, count: 1 };
  });
  await expect(failing).rejects.toThrow('full');
  expect(await listExports(runtime)).toEqual(before);
});

it('a receipt names the exports that were made before the erasure and are not known to be destroyed', {
  tags: 'long',
}, async () => {
  await destroyExport(runtime, (await exported()).id);
  await exported();
  const made = await listExports(runtime);
  const lasting = made
    .filter(({ destroyed_at }) => destroyed_at === null)
    .map(({ export: id, made_at, kind, type, sha256 }) => ({ export: id, made_at, kind, type, sha256 }));
  expect(lasting.length).toBeGreaterThan(0);
  expect(lasting.length).toBeLessThan(made.length);
  await openErasure(runtime, accountNamed('x:ada_canary'));
  await carryOut(runtime, { signal });
  expect((await exported()).text).not.toContain('biocanary');
  const [state] = await listSubjects(runtime);
  const named = async () => (await receiptOf(runtime, state as SubjectState)).receipt.exports;
  expect(new Set(await named())).toEqual(new Set(lasting));
  for (const { export: id } of lasting) await destroyExport(runtime, id);
  expect(await named()).toEqual([]);
});
