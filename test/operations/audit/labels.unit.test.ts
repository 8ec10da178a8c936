import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelLines, labelledSample } from '../../../infra/calibrate/audit/labels.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';
import { OperatorError } from '../../../src/kernel/errors.ts';
import { type LabelLine, loadAuditModels } from '../../../src/operations/audit/labels.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'labels-'));
});
afterAll(() => rm(folder, { recursive: true }));

const fileOf = async (lines: readonly unknown[]): Promise<string> => {
  const file = join(folder, 'labels.ndjson');
  await writeFile(
    file,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return file;
};

const world = createWorld({ seed: 3, size: 20_000, clock: { now: () => Date.UTC(2026, 9, 1) } });
const LINES: readonly LabelLine[] = labelLines('x', labelledSample(world, 'x', 0).labelled);

const refusal = async (lines: readonly unknown[]): Promise<OperatorError> => {
  try {
    await loadAuditModels({ AUDIT_LABELS: await fileOf(lines) });
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
  throw new Error('the file was taken');
};

describe('labelled followers of a file', () => {
  it('become a model for each of their platforms', async () => {
    const models = await loadAuditModels({ AUDIT_LABELS: await fileOf([...LINES, '']) });
    expect([...models.keys()]).toEqual(['x']);
    const { fitted, heldOut } = models.get('x') ?? {
      fitted: 0,
      heldOut: { suspicious: 0, inactive: 0, genuine: 0 },
    };
    expect(fitted + heldOut.suspicious + heldOut.inactive + heldOut.genuine).toBe(LINES.length);
  });

  it('win over the default model, which is of X alone', async () => {
    const [without, withLabels] = [
      await loadAuditModels({}),
      await loadAuditModels({ AUDIT_LABELS: await fileOf(LINES) }),
    ];
    expect([...without].map(([platform, { source }]) => [platform, source.name])).toEqual([['x', 'x-2017']]);
    expect(withLabels.get('x')?.source).toEqual({ name: 'operator' });
  });

  it('are refused with each invalid line, or with the unreadable file', async () => {
    const { code, message } = await refusal([LINES[0], '{"platform": "x"', { ...LINES[0], label: 'robot' }]);
    expect(code).toBe('labels_invalid');
    expect(message).toMatch(/line 2: no JSON\nline 3: label /);
    await expect(loadAuditModels({ AUDIT_LABELS: join(folder, 'none') })).rejects.toMatchObject({
      code: 'labels_invalid',
      message: expect.stringContaining('can’t be read'.replace('’', "'")),
    });
  });

  it('are refused where they are too few, or where no trait separates the classes', async () => {
    expect((await refusal(LINES.slice(0, 60))).message).toMatch(/100 are needed, and there are \d+/);
    const blind = LINES.map((line) => ({
      ...line,
      created_at: null,
      followers: null,
      following: null,
      posts: null,
      has_picture: null,
      has_bio: null,
    }));
    expect((await refusal(blind)).message).toContain('no trait separates');
  });
});
