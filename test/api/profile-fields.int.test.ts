import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type VisibleProfile, profileOf as visibleProfile } from '../../infra/simulator/platforms/site.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import { printable } from '../../src/operations/crawl/platforms.ts';
import { accounts } from '../../src/projections/views/accounts/projection.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { accountStream, recordSighting } from '../../src/write/accounts/account.ts';
import {
  boundedProfile,
  emptyProfile,
  FIELD_NAMES,
  type FieldName,
  MEASURABLE,
  type Measurable,
  PROFILE_FIELDS,
  type Profile,
  profileSchema,
} from '../../src/write/accounts/profile.ts';
import { unbounded } from '../../src/write/log/event-definition.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { expectAsRebuilt } from '../support/rebuilt.ts';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 4, 1);
const at = (minutes: number): string => new Date(BEGIN + minutes * MINUTE).toISOString();

let program: TestProgram;
let key: string;

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
});
afterAll(() => program.close());

/** Every field with one of its samples. */
const sampled = (nth: 0 | 1) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, PROFILE_FIELDS[name].samples[nth]]));

const handleOf = (name: FieldName): string => `of_${name}`;

/** Records a reading of the account of a field. */
const read = (
  name: FieldName,
  minutes: number,
  values: object,
  measured: readonly Measurable[] = MEASURABLE,
) =>
  recordSighting(
    program.log,
    'x',
    handleOf(name),
    {
      observedAt: at(minutes),
      source: 'crawler',
      surface: 'any',
      found: {
        status: 'active',
        profile: { ...emptyProfile(handleOf(name)), id: `id-${name}`, ...values } as Profile,
        posts: null,
        measured,
      },
    },
    { nowMs: BEGIN + minutes * MINUTE },
  );

const data = async (path: string) => (await program.get(`/v2/${path}`, key)).body.data;

describe('a field of a profile', () => {
  beforeAll(async () => {
    for (const name of FIELD_NAMES) {
      await read(name, 0, sampled(0));
      await read(name, 1, { ...sampled(0), [name]: PROFILE_FIELDS[name].samples[1] });
    }
    await program.project();
  });

  it.each(FIELD_NAMES)('is logged as its row says when it changes: %s', async (name) => {
    const { change, samples } = PROFILE_FIELDS[name];
    const events = await program.log.readStream(accountStream('x', handleOf(name)));
    expect(events.map(({ type }) => type)).toEqual([
      'AccountSighted',
      change === 'sighted' ? 'AccountSighted' : 'AccountUnchanged',
    ]);
    const last = events[1]?.data as { profile?: object; moved?: object };
    expect(change === 'sighted' ? last.profile : last.moved).toMatchObject({ [name]: samples[1] });
  });

  it.each(FIELD_NAMES)('is in the answers of the directory: %s', async (name) => {
    const { samples } = PROFILE_FIELDS[name];
    expect(await data(`directory/x/@${handleOf(name)}`)).toMatchObject({ ...sampled(0), [name]: samples[1] });
  });

  it.each(FIELD_NAMES)('is in the history if that keeps it: %s', async (name) => {
    const { history, samples } = PROFILE_FIELDS[name];
    const points = (await data(`directory/x/@${handleOf(name)}/history`)) as readonly object[];
    // Of what is kept once a day, the day has a point.
    expect(points).toHaveLength(history === 'changes' ? 2 : 1);
    const shown = history === 'changes' ? samples[1] : samples[0];
    if (history === null) expect(points[0]).not.toHaveProperty(name);
    else expect(points[0]).toMatchObject({ [name]: shown });
  });

  it.each(FIELD_NAMES)('is reported in the feed of changes if its row says so: %s', async (name) => {
    const { isReported, samples } = PROFILE_FIELDS[name];
    const rows = (await data('directory/changes?limit=1000')) as { id: string; kind: string }[];
    const own = rows.filter(({ id }) => id === `id-${name}`);
    expect(own[0]).toMatchObject({ kind: 'discovered' });
    const reported = own.filter(({ kind }) => kind === 'profile');
    expect(reported).toMatchObject(
      isReported ? [{ before: { [name]: samples[0] }, after: { [name]: samples[1] } }] : [],
    );
    if (isReported) expect(own[0]).toMatchObject({ after: { [name]: samples[0] } });
  });

  it.each(FIELD_NAMES)('is printed for a recorded page: %s', (name) => {
    const profile = { ...emptyProfile('ann'), ...sampled(1) } as Profile;
    const printed = printable({
      platform: 'x',
      status: 'present',
      profile,
      posts: null,
      measured: [],
      surface: 'any',
      warnings: [],
    });
    expect(printed.account).toMatchObject({ [name]: PROFILE_FIELDS[name].samples[1] });
  });

  it.each(FIELD_NAMES)(
    'keeps its age where a reading does not show it, unless it never changes: %s',
    async (name) => {
      const { [name]: _, ...others } = sampled(1);
      const measured = MEASURABLE.filter((each) => each !== name);
      await read(name, 3_000, { ...sampled(1) });
      await read(name, 3_001, others, measured);
      await program.project();
      const entry = await data(`directory/x/@${handleOf(name)}`);
      expect(entry).toMatchObject({ ...sampled(1) });
      const { isAged } = PROFILE_FIELDS[name];
      expect(entry.measured_at?.[name]).toBe(isAged ? at(3_000) : undefined);
    },
  );

  it('is the same in rebuilt read models', async () => {
    await expectAsRebuilt(program.database.db, program.log, [directory, accounts]);
  });
});

describe('the table of profile fields', () => {
  it.each(FIELD_NAMES)('has samples that differ and match the schema: %s', (name) => {
    const { schema, samples, empty } = PROFILE_FIELDS[name];
    for (const sample of [...samples, empty]) expect(schema.parse(sample)).toEqual(sample);
    expect(samples[0]).not.toEqual(samples[1]);
  });

  it.each(FIELD_NAMES)('has the value that an event without the field is read as: %s', (name) => {
    const { [name]: _, ...rest } = { ...emptyProfile('ann'), ...sampled(0) } as Profile;
    expect(profileSchema.parse(rest)).toEqual({ ...rest, [name]: PROFILE_FIELDS[name].empty });
  });

  it('brings a stranger’s text within the bounds of events', () => {
    const long = {
      ...emptyProfile('ann'),
      display_name: `${'a'.repeat(5_000)}\u0000`,
      pronouns: 'b'.repeat(5_000),
    };
    const bounded = boundedProfile(long);
    expect([bounded.display_name?.length, bounded.pronouns?.length]).toEqual([1_000, 200]);
    expect(profileSchema.safeParse(long).success).toBe(false);
    // What the log holds was within them.
    expect(unbounded(profileSchema).parse(long)).toEqual(long);
    // A field that a newer program has is nothing to this one.
    expect(unbounded(profileSchema).parse({ ...long, newer: 1 })).toEqual(long);
  });

  it('equals the simulator’s', () => {
    const { id: _, handle: __, ...facts }: VisibleProfile = visibleProfile({ handle: 'ann' } as Account, {});
    expect(Object.keys(facts).toSorted()).toEqual(FIELD_NAMES.toSorted());
  });
});
