import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandleLifts } from '../../../src/write/erasure/lift-handles.ts';
import type { OpenFence } from '../../../src/write/erasure/open-fence.ts';
import { SUBJECTS_STREAM } from '../../../src/write/erasure/subject.ts';
import { LogUnavailableError } from '../../../src/write/log/port.ts';
import { eraseIn, openTestFence } from '../../support/erasures.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const erase = (id: string | null, ...handles: readonly string[]) =>
  eraseIn(
    { db: program.database.db, log: program.log, fence: program.fence },
    { platform: 'x', id, handles },
  );
/** A process of its own, which knows of what was erased until now. */
const processFence = (): Promise<OpenFence> => openTestFence(program.database.db, program.log);
const lifted = async () =>
  (await program.log.readStream(SUBJECTS_STREAM)).filter(({ type }) => type === 'SubjectHandleLifted');

describe('a handle that another account is seen to have', () => {
  it('is lifted once, whichever processes see it and however often', async () => {
    const subject = await erase('71', 'ada', 'ada2');
    const processes = await Promise.all([processFence(), processFence(), processFence()]);
    const lifts = processes.map((fence) => createHandleLifts({ log: program.log, fence }));
    await Promise.all([...lifts, ...lifts].map((lift) => lift('x', 'ada')));
    expect((await lifted()).map(({ data }) => data)).toMatchObject([{ subject }]);
    for (const fence of processes) {
      expect(fence.has('x', 'handle', 'ada')).toBe(false);
      expect(fence.has('x', 'handle', 'ada2')).toBe(true);
      expect(fence.has('x', 'id', '71')).toBe(true);
    }
    const text = JSON.stringify(await lifted(), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toContain('"ada');
  });

  it('is lifted again after its present owner was erased as well, and lifted after him', async () => {
    await erase('72', 'ada');
    expect(program.fence.has('x', 'handle', 'ada')).toBe(true);
    await createHandleLifts(program)('x', 'ada');
    expect(program.fence.has('x', 'handle', 'ada')).toBe(false);
    expect(program.fence.has('x', 'id', '72')).toBe(true);
    expect(await lifted()).toHaveLength(2);
  });

  it('stays refused where nobody knows the ID of the erased one', async () => {
    await erase(null, 'nameless');
    await createHandleLifts(program)('x', 'nameless');
    expect(program.fence.has('x', 'handle', 'nameless')).toBe(true);
    expect(await lifted()).toHaveLength(2);
  });

  it('stays refused until it is seen again, if the log is away', async () => {
    await erase('73', 'later');
    const away = { append: () => Promise.reject(new LogUnavailableError('no leader')) };
    const lift = createHandleLifts({ log: away, fence: program.fence });
    await lift('x', 'later');
    expect(program.fence.has('x', 'handle', 'later')).toBe(true);
    await createHandleLifts(program)('x', 'later');
    expect(program.fence.has('x', 'handle', 'later')).toBe(false);
  });
});
