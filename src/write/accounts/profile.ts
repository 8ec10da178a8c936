/** Profiles: the table of their fields, their values in events, and the ages of values that readings did not show. */

import { z } from 'zod';
import { address, count, instant, key, link, list, repaired, text } from '../log/event-definition.ts';
import { MAX_KEY } from './post.ts';

/** The type of a field. Its column in views and its schema in answers follow from it. */
export type Holding = 'text' | 'count' | 'flag' | 'instant' | 'texts';

/** A field of a profile. Events, decisions, views, answers and the feed of changes all derive from its row in the table. */
interface ProfileField {
  readonly holds: Holding;
  /** Schema in events. */
  readonly schema: z.ZodType;
  /** The value for unknown or none. Events that were written before the field existed read as this. */
  readonly empty: null | readonly never[];
  /**
   * How a new value is recorded: `sighted` by a full profile; `moved` by itself, for values that change daily without the account's
   * doing.
   */
  readonly change: 'sighted' | 'moved';
  /**
   * Whether the value may be older than the last reading. A value that never changes has no age, and is kept where a reading does
   * not show it.
   */
  readonly isAged: boolean;
  /** What the history of an account keeps: one value per day, or every change as well. */
  readonly history: 'daily' | 'changes' | null;
  /** Whether the feed of changes reports a change of the field. */
  readonly isReported: boolean;
  /** Two values in the form in which platforms show them. */
  readonly samples: readonly [unknown, unknown];
  /** Description for the API. */
  readonly description: string;
}

/** The table of profile fields. `null` is unknown (not shown, or unreadable). `0` and `''` are values that the platform showed. */
export const PROFILE_FIELDS = {
  display_name: {
    holds: 'text',
    schema: text(1_000).nullable(),
    empty: null,
    change: 'sighted',
    isAged: true,
    history: 'changes',
    isReported: true,
    samples: ['NASA', 'NASA HQ'],
    description: 'Name that the account shows; null if unknown.',
  },
  followers: {
    holds: 'count',
    schema: count.nullable(),
    empty: null,
    change: 'moved',
    isAged: true,
    history: 'daily',
    isReported: false,
    samples: [96_000_000, 0],
    description: 'Followers; null if unknown.',
  },
  following: {
    holds: 'count',
    schema: count.nullable(),
    empty: null,
    change: 'moved',
    isAged: true,
    history: 'daily',
    isReported: false,
    samples: [118, 119],
    description: 'Accounts that it follows; null if unknown.',
  },
  posts: {
    holds: 'count',
    schema: count.nullable(),
    empty: null,
    change: 'moved',
    isAged: true,
    history: 'daily',
    isReported: false,
    samples: [75_000, 75_001],
    description: 'Posts; null if unknown.',
  },
  verified: {
    holds: 'flag',
    schema: z.boolean().nullable(),
    empty: null,
    change: 'sighted',
    isAged: true,
    history: 'changes',
    // The feed has change kinds of its own for this field.
    isReported: false,
    samples: [true, false],
    description: 'Whether the platform shows a badge; null if unknown.',
  },
  created_at: {
    holds: 'instant',
    schema: instant.nullable(),
    empty: null,
    change: 'sighted',
    isAged: false,
    history: null,
    isReported: true,
    samples: ['2007-12-19T20:20:32.000Z', '2007-12-19T00:00:00.000Z'],
    description: 'When it was created; null if unknown.',
  },
  bio: {
    holds: 'text',
    schema: text(10_000).nullable(),
    empty: null,
    change: 'sighted',
    isAged: true,
    history: null,
    isReported: true,
    samples: ['Making the seemingly impossible, possible.', ''],
    description: 'Bio of the account; null if unknown or none.',
  },
  avatar_url: {
    holds: 'text',
    schema: address(4_096).nullable(),
    empty: null,
    // Addresses of pictures are signed and expire.
    change: 'moved',
    isAged: true,
    history: null,
    isReported: true,
    samples: ['https://images.example/nasa-1.jpg', 'https://images.example/nasa-2.jpg'],
    description: 'URL of the picture, which may expire; null if unknown or none.',
  },
  location: {
    holds: 'text',
    schema: text(500).nullable(),
    empty: null,
    change: 'sighted',
    isAged: true,
    history: null,
    isReported: true,
    samples: ['Pale Blue Dot', 'Washington, D.C.'],
    description: 'Location as shown; null if unknown or none.',
  },
  links: {
    holds: 'texts',
    /** Absolute http(s) URLs that the profile shows, in order, deduplicated. */
    schema: list(link, { max: 100, maxChars: 20_000, charsOf: (one) => one.length }),
    empty: [],
    change: 'sighted',
    isAged: true,
    history: null,
    isReported: true,
    samples: [['https://www.nasa.gov/'], ['https://www.nasa.gov/', 'https://plus.nasa.gov/']],
    description: 'Links of the profile.',
  },
  pronouns: {
    holds: 'text',
    schema: text(200).nullable(),
    empty: null,
    change: 'sighted',
    isAged: true,
    history: null,
    isReported: true,
    samples: ['she/her', 'they/them'],
    description: 'Pronouns that the account shows; null if unknown or none.',
  },
} as const satisfies Readonly<Record<string, ProfileField>>;

type Fields = typeof PROFILE_FIELDS;
export type FieldName = keyof Fields;

/** Names of the fields whose row has these values. */
type FieldsWith<Row> = { [Name in FieldName]: Fields[Name] extends Row ? Name : never }[FieldName];

export const FIELD_NAMES = Object.keys(PROFILE_FIELDS) as readonly FieldName[];

const namesWith = <Row extends Partial<ProfileField>>(row: Row) =>
  FIELD_NAMES.filter((name) =>
    Object.entries(row).every(
      ([column, value]) => PROFILE_FIELDS[name][column as keyof ProfileField] === value,
    ),
  ) as unknown as readonly FieldsWith<Row>[];

/** An object with one value per field name, computed from the field's row. */
export const perField = <Name extends FieldName, Value>(
  names: readonly Name[],
  of: (field: ProfileField, name: Name) => Value,
) => Object.fromEntries(names.map((name) => [name, of(PROFILE_FIELDS[name], name)])) as Record<Name, Value>;

/** Number of fields when versions of views began to count them. */
const FIRST_FIELDS = 11;

/**
 * The version of a view that holds profiles. A further field makes a new version, so that the view is rebuilt. If `holds`,
 * `history` or `isReported` of a row change, the views' own version has to be incremented.
 */
export const versionPerField = (version: number): number => version + FIELD_NAMES.length - FIRST_FIELDS;

/** Values that change daily without the account's doing. */
export const MOVED_FIELDS = namesWith({ change: 'moved' } as const);
export const SIGHTED_FIELDS = namesWith({ change: 'sighted' } as const);
export const LASTING_FIELDS = namesWith({ isAged: false } as const);
export const HISTORY_FIELDS = FIELD_NAMES.filter(
  (name) => PROFILE_FIELDS[name].history !== null,
) as readonly FieldsWith<{
  readonly history: string;
}>[];
export const HISTORIC_CHANGES = namesWith({ history: 'changes' } as const);
export const REPORTED_FIELDS = namesWith({ isReported: true } as const);

/** Fields of an account that have an age. `status` stands for whether the account is private. */
export const AGED_FIELDS = [...namesWith({ isAged: true } as const), 'status'] as const;
export type AgedField = (typeof AGED_FIELDS)[number];

type Frozen<Value> = Value extends readonly string[] ? readonly string[] : Value;
type Facts = { [Name in FieldName]: Frozen<z.output<Fields[Name]['schema']>> };

/** A public profile as one reading saw it. */
export interface Profile extends Facts {
  /** Native ID; null if the platform has none or the surface hides it. */
  id: string | null;
  /** Normalized by the platform's grammar. */
  handle: string;
}

const named = { id: key(MAX_KEY).nullable(), handle: key(MAX_KEY) };

export const profileSchema = z.strictObject({
  ...named,
  ...perField(FIELD_NAMES, ({ schema, empty }) => schema.default(empty)),
}) as unknown as z.ZodType<Profile, Profile>;

/** New values of the fields that moved. Absent fields did not change. */
export type Moved = { [Name in (typeof MOVED_FIELDS)[number]]?: Profile[Name] | undefined };

export const movedSchema = z.strictObject(
  perField(MOVED_FIELDS, ({ schema }) => schema.optional()),
) as unknown as z.ZodType<Moved, Moved>;

/** A profile after some of its values moved. */
export const movedProfile = (profile: Profile, moved: Moved): Profile => {
  const now: Record<string, unknown> = { ...profile };
  for (const name of MOVED_FIELDS) if (moved[name] !== undefined) now[name] = moved[name];
  return now as unknown as Profile;
};

/** Brings a profile within an event's bounds: removes characters that no store accepts, and truncates what is too long. */
export const boundedProfile = (profile: Profile): Profile => repaired(profileSchema, profile) as Profile;

const EMPTY = perField(FIELD_NAMES, ({ empty }) => empty) as unknown as Facts;

/** A profile of which only the handle is known. */
export const emptyProfile = (handle: string): Profile => ({ id: null, handle, ...EMPTY });

/** The profile fields of an object that has them. */
export const factsOf = (of: Readonly<Facts>): Facts => {
  const facts = { ...EMPTY } as Record<FieldName, unknown>;
  for (const name of FIELD_NAMES) facts[name] = of[name];
  return facts as Facts;
};

/** Whether a value is empty: unknown or none. */
export const isEmptyValue = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

export const isSameValue = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((one, i) => one === b[i]) : a === b;

/** Fields of a profile that a surface may or may not show. */
const SHOWABLE = ['id', ...FIELD_NAMES] as const;

/** What a surface may or may not show of an account: profile fields, and whether it is private. */
export const MEASURABLE = [...SHOWABLE, 'private'] as const;
export type Measurable = (typeof MEASURABLE)[number];

/** Whether a profile has nothing but its handle. */
export const isEmpty = (profile: Profile): boolean => SHOWABLE.every((name) => isEmptyValue(profile[name]));

/** Whether a profile lacks fields that its reading did not measure, which known values may fill. */
export const isPartial = (profile: Profile, measured: readonly Measurable[]): boolean =>
  !measured.includes('private') ||
  SHOWABLE.some((name) => isEmptyValue(profile[name]) && !measured.includes(name));

/** Fills the empty fields of a profile with known values, except for measured fields, which are empty on the platform. */
export const mergedProfile = (
  found: Profile,
  known: Profile,
  measured: readonly Measurable[] = [],
): Profile => {
  const filled = SHOWABLE.filter((name) => isEmptyValue(found[name]) && !measured.includes(name));
  return { ...found, ...Object.fromEntries(filled.map((name) => [name, known[name]])) };
};

/** The times of the readings that last showed values which a later reading did not show. Null is an unknown time. */
export const keptSchema = z.strictObject(
  Object.fromEntries(AGED_FIELDS.map((field) => [field, instant.nullable().optional()])) as {
    [Field in AgedField]: z.ZodOptional<z.ZodNullable<typeof instant>>;
  },
);

export type Kept = z.infer<typeof keptSchema>;

/** An account as its last reading left it: its values, the time of that reading, and which values are older. */
export interface Aged {
  readonly seen: { readonly status: 'active' | 'private'; readonly profile: Profile };
  /** Null if the known events don't tell. */
  readonly seenAt: string | null;
  readonly kept: Kept;
}

export const NOTHING_KEPT: Kept = {};

/** The member of an event that holds the times of kept values; it is absent if there are none. */
export const keptMember = (kept: Kept): { readonly kept?: Kept } =>
  Object.keys(kept).length === 0 ? {} : { kept };

/**
 * Whether a field has a value that has an age. Any reading shows that an account is active, but not every surface shows that it is
 * private.
 */
const hasValue = (seen: Aged['seen'], field: AgedField): boolean =>
  field === 'status' ? seen.status === 'private' : !isEmptyValue(seen.profile[field]);

/** When a value was last shown; null if unknown. */
const shownAt = ({ seenAt, kept }: Omit<Aged, 'seen'>, field: AgedField): string | null => {
  const at = kept[field];
  return at === undefined ? seenAt : at;
};

/** The times of the values that a reading leaves as they were because it did not show them. */
export const keptBy = (before: Aged, found: Aged['seen'], measured: readonly Measurable[]): Kept =>
  Object.fromEntries(
    AGED_FIELDS.filter(
      (field) =>
        hasValue(before.seen, field) &&
        !hasValue(found, field) &&
        !measured.includes(field === 'status' ? 'private' : field),
    ).map((field) => [field, shownAt(before, field)]),
  );

/**
 * Completes the times of an event with those that only the account before it knows.
 * @param kept times of the event; empty if it kept nothing.
 * @param before the account before the event; null if unknown.
 */
export const keptAfter = (kept: Kept, before: Omit<Aged, 'seen'> | null): Kept => {
  if (before === null) return kept;
  return Object.fromEntries(
    Object.entries(kept).map(([field, at]) => [field, at ?? shownAt(before, field as AgedField)]),
  );
};

/** The times of values that are older than the last reading. */
export type ValueTimes = Readonly<Partial<Record<AgedField, string>>>;

/** Schema of the column, which only this program writes. */
export const valueTimesSchema = z.record(z.string(), z.string()) as z.ZodType<ValueTimes>;

const someOf = (times: readonly (readonly [string, string])[]): ValueTimes | null =>
  times.length === 0 ? null : Object.fromEntries(times);

/**
 * The times of kept values for views. A value of unknown time counts as old as the account in the log. Null if no value is older
 * than the last reading that found the account.
 */
export const valueTimes = (kept: Kept, firstSeenAt: string, lastSeenAt: string): ValueTimes | null =>
  someOf(
    Object.entries(kept)
      .map(([field, at]) => [field, at ?? firstSeenAt] as const)
      .filter(([, at]) => at < lastSeenAt),
  );

/** An account as a row of a view holds it. */
export interface AgedAccount {
  /** Time of the last conclusive reading, which determined the status. */
  readonly observed_at: string;
  /** Time of the last reading that found the account and thus its values; null if none did. */
  readonly last_seen_at: string | null;
  /** Times of values that are older than `last_seen_at`; null if there are none. */
  readonly kept: ValueTimes | null;
}

/** Values of an account that an answer shows, by field. */
export type ShownValues = Readonly<Partial<Record<AgedField, unknown>>>;

/** The times of the shown values that are older than the last reading; null if there are none. */
export const olderValues = (
  { observed_at, last_seen_at, kept }: AgedAccount,
  shown: ShownValues,
): ValueTimes | null => {
  if (last_seen_at === null || (kept === null && last_seen_at === observed_at)) return null;
  const times = AGED_FIELDS.flatMap((field) => {
    // The last reading determined the status, unless it could not show that the account is private.
    if (
      field === 'status'
        ? shown.status !== 'private'
        : shown[field] === undefined || isEmptyValue(shown[field])
    )
      return [];
    const at = kept?.[field] ?? (field === 'status' ? observed_at : last_seen_at);
    return at < observed_at ? [[field, at] as const] : [];
  });
  return someOf(times);
};

/** When the oldest of the shown values was read. */
export const oldestShownAt = (account: AgedAccount, shown: ShownValues): string => {
  const older = olderValues(account, shown);
  if (older === null) return account.observed_at;
  return Object.values(older).reduce((oldest, at) => (at < oldest ? at : oldest));
};

/** The member of an answer that lists older values. */
export const measuredAt = (older: ValueTimes | null): { readonly measured_at?: ValueTimes } =>
  older === null ? {} : { measured_at: older };
