import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createAccountStates } from '../../src/read/accounts.ts';
import { recordSighting, type Sighting } from '../../src/write/accounts/account.ts';
import { FIGURES, type Figure } from '../../src/write/accounts/post.ts';
import {
  AGED_FIELDS,
  type AgedField,
  emptyProfile,
  type Measurable,
  PROFILE_FIELDS,
  type Profile,
} from '../../src/write/accounts/profile.ts';
import { plainPost } from '../support/plain-post.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';

const MINUTE = 60_000;

let program: TestProgram;
let key: string;

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
});
afterAll(() => program.close());

type Field = Exclude<AgedField, 'status'>;
const FIELDS = AGED_FIELDS.filter((field): field is Field => field !== 'status');

/** What a surface shows at one time: any part of a profile, or that the account is gone. */
interface Look {
  readonly minutesLater: number;
  readonly gone: 'suspended' | 'deactivated' | null;
  /** By field: the index of its value, -1 for shown as empty, null if the surface does not show it. */
  readonly fields: Readonly<Record<Field, number | null>>;
  readonly isPrivate: boolean | null;
  readonly figures: Readonly<Record<Figure, number | null>>;
}

const look: fc.Arbitrary<Look> = fc.record({
  minutesLater: fc.constantFrom(1, 45, 1_500),
  gone: fc.oneof(
    { arbitrary: fc.constant(null), weight: 6 },
    { arbitrary: fc.constantFrom('suspended' as const, 'deactivated' as const), weight: 1 },
  ),
  fields: fc.record(
    Object.fromEntries(FIELDS.map((field) => [field, fc.option(fc.integer({ min: -1, max: 1 }))])) as {
      [Name in Field]: fc.Arbitrary<number | null>;
    },
  ),
  isPrivate: fc.option(fc.boolean()),
  figures: fc.record(
    Object.fromEntries(FIGURES.map((figure) => [figure, fc.option(fc.constantFrom(10, 11, 40))])) as {
      [Name in Figure]: fc.Arbitrary<number | null>;
    },
  ),
});

const shownValue = (field: Field, index: number): unknown =>
  index < 0 ? PROFILE_FIELDS[field].empty : PROFILE_FIELDS[field].samples[index];

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

const sightingOf = ({ gone, fields, isPrivate, figures }: Look, handle: string, at: string): Sighting => {
  const read = { observedAt: at, source: 'crawler', surface: 'any' } as const;
  if (gone !== null) return { ...read, found: { status: gone } };
  const shown = FIELDS.filter((field) => fields[field] !== null);
  const values = shown.map((field) => [field, shownValue(field, fields[field] as number)]);
  const measured: Measurable[] = [...shown, ...(isPrivate === null ? [] : (['private'] as const))];
  return {
    ...read,
    found: {
      status: isPrivate === true ? 'private' : 'active',
      profile: { ...emptyProfile(handle), id: `id-${handle}`, ...Object.fromEntries(values) } as Profile,
      posts: [{ ...plainPost('hello'), id: 'one', ...figures }],
      measured,
    },
  };
};

/** When each value was last shown, by what the surfaces showed. */
class Truth {
  readonly #at = new Map<string, { readonly at: string; readonly value: unknown }>();
  /** What each reading showed, by its time. */
  readonly readings = new Map<string, Readonly<Record<string, unknown>>>();
  readonly figures = new Map<Figure, string>();

  see({ gone, fields, isPrivate, figures }: Look, at: string): void {
    if (gone !== null) return;
    const shown: Record<string, unknown> = {};
    for (const field of FIELDS) {
      const index = fields[field];
      if (index !== null) shown[field] = shownValue(field, index);
    }
    if (isPrivate !== null) shown.status = isPrivate ? 'private' : 'active';
    for (const [field, value] of Object.entries(shown)) this.#at.set(field, { at, value });
    for (const figure of FIGURES) if (figures[figure] !== null) this.figures.set(figure, at);
    this.readings.set(at, shown);
  }

  of(field: string): { readonly at: string; readonly value: unknown } | undefined {
    return this.#at.get(field);
  }
}

type Body = Awaited<ReturnType<TestProgram['get']>>['body'];

/** Fails unless an item says of each value when it was shown last, and returns the oldest of these times. */
const oldestOf = (item: Readonly<Record<string, unknown>>, readAt: string, truth: Truth): string => {
  const older = (item.measured_at ?? {}) as Readonly<Record<string, string>>;
  const times = AGED_FIELDS.flatMap((field) => {
    const value = item[field];
    if (value === undefined || isEmpty(value)) return [];
    if (field === 'status' && value !== 'private') return [readAt];
    const known = truth.of(field);
    const claimed = older[field] ?? readAt;
    expect({ field, value }).toEqual({ field, value: known?.value });
    expect(claimed, field).toBe(known?.at);
    return [claimed];
  });
  for (const field of Object.keys(older)) expect(isEmpty(item[field]), field).toBe(false);
  return times.reduce((oldest, at) => (at < oldest ? at : oldest), readAt);
};

const readMsOf = ({ meta }: Body): number => Date.parse(meta.generated_at) - meta.cache_age_s * 1_000;

/** Ages are whole seconds: the time that one stands for is at most one second later. */
const expectAge = (body: Body, oldest: string): void => {
  const lateMs = readMsOf(body) - Date.parse(oldest);
  expect([lateMs >= 0, lateMs < 1_000], `${lateMs} ms late`).toEqual([true, true]);
};

let nth = 0;

/** @param withSnapshots whether decisions are made on the rows of views instead of the stream. */
const tell = async (looks: readonly Look[], withSnapshots: boolean) => {
  const states = withSnapshots
    ? createAccountStates(program.database.db, program.builds, silentLogger)
    : null;
  nth += 1;
  const handle = `ann_${nth}`;
  const truth = new Truth();
  const total = looks.reduce((sum, { minutesLater }) => sum + minutesLater, 0);
  let ms = Date.now() - (total + 10) * MINUTE;
  let lastAt = '';
  let isGone = false;
  for (const one of looks) {
    ms += one.minutesLater * MINUTE;
    lastAt = new Date(ms).toISOString();
    truth.see(one, lastAt);
    isGone = one.gone !== null;
    await recordSighting(program.log, 'x', handle, sightingOf(one, handle, lastAt), {
      nowMs: ms,
      ...(states === null ? {} : { snapshots: { ...states, remember: () => undefined } }),
    });
    if (withSnapshots) await program.project();
  }
  await program.project();
  return { handle, truth, lastAt, isGone };
};

const get = async (path: string): Promise<Body> => {
  const { status, body } = await program.get(`/v2${path}`, key);
  expect(status, path).toBe(200);
  return body;
};

describe('an answer calls no value fresher than the reading that showed it', () => {
  it.each([
    ['decided on its stream', 80, false],
    ['decided on read models', 30, true],
  ] as const)(
    'for any mix of surfaces, %s, in every endpoint',
    { tags: 'long' },
    async (_, numRuns, withSnapshots) => {
      await fc.assert(
        fc.asyncProperty(fc.array(look, { minLength: 1, maxLength: 12 }), async (looks) => {
          const { handle, truth, lastAt, isGone } = await tell(looks, withSnapshots);
          for (const path of [`/accounts/x/${handle}`, `/accounts/resolve?url=x:${handle}`]) {
            const check = await get(path);
            expectAge(check, oldestOf(check.data, lastAt, truth));
            expect(check.meta.cache_age_s - check.data.stale_s).toBeLessThanOrEqual(1);
          }
          const free = await program.get(`/v2/accounts/x/${handle}/live?max_age_s=31536000`, key);
          expect(free.body.meta.source).toBe('catalog');
          if (isGone) expect(free.body.data).toMatchObject({ followers: null, display_name: null });
          expectAge(free.body, oldestOf(free.body.data, lastAt, truth));

          if (truth.readings.size === 0) return;
          const entry = await get(`/directory/x/${handle}`);
          const oldest = oldestOf(entry.data, lastAt, truth);
          expectAge(entry, oldest);
          for (const list of [`/directory?q=${handle}`, `/directory/x?q=${handle}&sort=recent`]) {
            const page = await get(list);
            const listed = page.data.find((one: { handle: string }) => one.handle === handle);
            expect(listed).toEqual(entry.data);
            expect(readMsOf(page) - Date.parse(oldest)).toBeLessThan(1_000);
          }

          const history = await get(`/directory/x/${handle}/history`);
          for (const { at, handle: _, ...values } of history.data) {
            const shown = truth.readings.get(at) ?? {};
            for (const [field, value] of Object.entries(values)) {
              if (value !== null) expect({ at, field, value }).toEqual({ at, field, value: shown[field] });
            }
          }
          // No day lacks a figure that was shown on it.
          for (const figure of ['followers', 'following', 'posts', 'verified']) {
            const days = new Set(
              [...truth.readings].flatMap(([at, shown]) =>
                isEmpty(shown[figure] ?? null) ? [] : [at.slice(0, 10)],
              ),
            );
            const told = history.data.filter((point: Record<string, unknown>) => point[figure] !== null);
            expect(new Set(told.map(({ at }: { at: string }) => at.slice(0, 10)))).toEqual(days);
          }

          const posts = await get(`/directory/x/${handle}/posts`);
          for (const post of posts.data) {
            for (const [figure, at] of truth.figures) {
              if (post[figure] !== null && post[figure] !== undefined)
                expect(post.observed_at <= at, figure).toBe(true);
            }
            expectAge(posts, post.observed_at);
          }
        }),
        { numRuns, seed: 24 },
      );
    },
  );
});
