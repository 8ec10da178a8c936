import { z } from 'zod';
import { platformSchema } from '../../../kernel/platform.ts';
import { ident, raw, type Statement, sql } from '../../../kernel/postgres/statement.ts';
import { ACCOUNT_STATUSES } from '../../../write/accounts/account.ts';
import { type Candidate, candidateOf, decadeOf } from '../../../write/people/account.ts';
import { EVIDENCE_KINDS } from '../../../write/people/cluster.ts';
import {
  bool,
  createTables,
  defineTable,
  instant,
  int4,
  int8,
  json,
  name,
  nullable,
  type RowOf,
  text,
  uuid,
} from '../../table/table.ts';

const texts = z.array(z.string()) as z.ZodType<readonly string[]>;

/** A reading belongs to the account that had a name: who had one name after the other has a row each. */
const tenure = {
  platform: name(platformSchema),
  /** As the stream is named: the handle, or the native ID of an account without one. */
  name: name(),
  /** Empty until a reading shows one. */
  native_id: name(),
};

/** What an account showed last while it had a name. */
export const accountTable = defineTable(
  'accounts',
  {
    ...tenure,
    /** The account: by native ID where there is one. */
    account: name(),
    display_name: nullable(text()),
    /** The first two words of the name, under which accounts are counted. */
    name_key: nullable(name()),
    intro: nullable(text()),
    picture: nullable(text()),
    /** What the profile links to. */
    targets: json(texts),
    /** When it began to link to each of these: a link means who had the name then. */
    targets_at: json(texts),
    /** What it linked to before, the last ones, and since when: a link that comes back is as old as it was. */
    former_targets: json(texts),
    former_at: json(texts),
    is_disclaimed: bool(),
    followers: nullable(int8()),
    verified: nullable(bool()),
    created_at: nullable(instant()),
    status: text(z.enum(ACCOUNT_STATUSES)),
    /** First and last time that the account was seen under the name. */
    since: instant(),
    seen_at: instant(),
    /** When a profile with its native ID was last shown: one without an ID may be of who has taken the name over. */
    identified_at: instant(),
    /** The last reading, conclusive or not. */
    observed_at: instant(),
  },
  { key: ['platform', 'name', 'native_id'], fillfactor: 75 },
);
export type AccountRow = RowOf<typeof accountTable>;

/** What identity facts are made of. */
type ShownRow = Pick<
  AccountRow,
  | 'account'
  | 'platform'
  | 'display_name'
  | 'intro'
  | 'picture'
  | 'targets'
  | 'is_disclaimed'
  | 'followers'
  | 'verified'
  | 'created_at'
>;

/**
 * An account as it is compared with others.
 * @param handle null if another account has the handle now.
 */
export const candidateIn = (row: ShownRow, handle: string | null): Candidate =>
  candidateOf(
    { key: row.account, platform: row.platform, handle },
    {
      displayName: row.display_name,
      intro: row.intro,
      picture: row.picture,
      targets: row.targets,
      isDisclaimed: row.is_disclaimed,
      decade: decadeOf(row.platform, row.followers),
      verified: row.verified,
      createdAt: row.created_at,
    },
  );

/** Under which of several names an account is at present: the first row in this order. */
export const LAST_TENURE = 'identified_at desc, seen_at desc, name';

/** The same of two rows that are in memory. */
export const isLater = (
  a: Pick<AccountRow, 'name' | 'seen_at' | 'identified_at'>,
  b: Pick<AccountRow, 'name' | 'seen_at' | 'identified_at'>,
): boolean => {
  if (a.identified_at !== b.identified_at) return a.identified_at > b.identified_at;
  return a.seen_at === b.seen_at ? a.name < b.name : a.seen_at > b.seen_at;
};

/** Who links to what. */
export const linkTable = defineTable(
  'links',
  { target: name(), ...tenure, account: name() },
  { key: ['target', 'platform', 'name', 'native_id'] },
);

export type LinkRow = RowOf<typeof linkTable>;

/** Pages of links that accounts link to: what each lists was read apart from its accounts. */
export const pageTable = defineTable(
  'pages',
  {
    page: name(),
    /** What it listed last; nothing before it is read, and where there is no page. */
    targets: json(texts),
    /** When it began to list each of these. */
    targets_at: json(texts),
    /** First and last reading. */
    since: nullable(instant()),
    read_at: nullable(instant()),
  },
  { key: ['page'], fillfactor: 75 },
);

export type PageRow = RowOf<typeof pageTable>;

/** The person that an account is of. */
export const memberTable = defineTable(
  'members',
  {
    account: name(),
    person: uuid(),
    /** How much its component exceeds what is compared: `write/people/components.ts`. */
    crowding: int4(),
  },
  { key: ['account'] },
);
export type MemberRow = RowOf<typeof memberTable>;

const evidenceSchema = z.object({
  kind: z.enum(EVIDENCE_KINDS),
  weight: z.number(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});

const membersSchema = z.array(
  z.object({
    account: z.string(),
    /** Null if it is the only one. */
    log_odds: z.number().nullable(),
    evidence: z.array(evidenceSchema).readonly(),
  }),
);
export type PersonMembers = z.infer<typeof membersSchema>;

/** A person: accounts that are held together by evidence. */
export const personTable = defineTable(
  'people',
  {
    person: uuid(),
    display_name: nullable(text()),
    members: json(membersSchema as z.ZodType<Readonly<PersonMembers>>),
    platforms: json(texts),
    /** Followers of the largest account that is shown to all, in twentieths of a decade. */
    rank: int4(),
    /** Words of names and handles, each after a space, for search. */
    words: text(),
    /** Whether all accounts are of LinkedIn. */
    is_linkedin_only: bool(),
    accounts: json(texts),
    /** Of all other columns: a row that would be written as it is, is not written. */
    fingerprint: name(),
  },
  { key: ['person'], fillfactor: 75 },
);
export type PersonRow = RowOf<typeof personTable>;

/**
 * A word of a person, below the rank of the list that searches are in: of each rank, the beginning of a word is a range of the
 * index, so a search reads its matches from the top of the list, as many as it needs.
 */
export const wordTable = defineTable(
  'words',
  { rank: int4(), word: name(), person: uuid() },
  { key: ['rank', 'word', 'person'] },
);
export type WordRow = RowOf<typeof wordTable>;

/** The account that an ID of a person was made of: it says what became of the ID. */
export const anchorTable = defineTable('anchors', { person: uuid(), account: name() }, { key: ['person'] });

/** Steps of a decade: a person moves in the list only when its largest account has grown by an eighth. */
const STEPS = 20;

/** Rank of an account by its followers; unknown ones come last. */
export const rankOf = (followers: number | null): number =>
  followers === null ? -1 : Math.floor(STEPS * Math.log10(followers + 1));

export const tables = (schema: string): string => `
${createTables(schema, [accountTable, linkTable, pageTable, memberTable, personTable, wordTable, anchorTable])}
create index on ${schema}.accounts (account);
create index on ${schema}.accounts (name_key);
create index on ${schema}.pages (read_at nulls first);
`;

/** Rows of names, looked up one by one. */
export const tenuresOf = (
  schema: string,
  columns: string,
  { platforms, names }: { readonly platforms: readonly string[]; readonly names: readonly string[] },
): Statement => sql`
  select t.* from unnest(${platforms}::text[], ${names}::text[]) as k(platform, name) cross join lateral
    (select ${raw(columns)} from ${ident(schema)}.accounts where platform = k.platform and name = k.name offset 0) t`;

/** Order of people in searches. Readers repeat it verbatim. */
export const PERSON_ORDER = 'rank desc, person desc';

export const indexes = (schema: string): string => `
create index on ${schema}.people (${PERSON_ORDER});
`;
