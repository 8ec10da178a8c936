import { createBatcher } from '../../kernel/batch.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, type Statement, sql } from '../../kernel/postgres/statement.ts';
import { handleIn } from '../../platforms/index.ts';
import { LAST_TENURE, type PersonMembers } from '../../projections/views/people/tables.ts';
import type { AccountStatus } from '../../write/accounts/account.ts';
import type { EvidenceKind } from '../../write/people/cluster.ts';
import { probabilityOf } from '../../write/people/signals.ts';
import type { AccountKey } from '../accounts.ts';
import type { Builds } from '../active-builds.ts';

/** An end of a piece of evidence. */
export interface AccountRef {
  readonly platform: Platform;
  readonly handle: string | null;
  readonly id: string | null;
}

export interface ShownEvidence {
  readonly kind: EvidenceKind;
  readonly weight: number;
  readonly from: AccountRef | null;
  readonly to: AccountRef | null;
  readonly observed_at: string;
}

export interface PersonAccount extends AccountRef {
  readonly key: string;
  readonly status: AccountStatus;
  readonly followers: number | null;
  readonly verified: boolean | null;
  readonly last_seen_at: string;
  /** Null if it is the only one. */
  readonly confidence: number | null;
  readonly log_odds: number | null;
  readonly evidence: readonly ShownEvidence[];
}

export interface Person {
  readonly person_id: string;
  readonly display_name: string | null;
  readonly is_linkedin_only: boolean;
  readonly accounts: readonly PersonAccount[];
}

/** A row of an account as a JSON array. Postgres takes twice as long to make objects. */
export type AccountJson = readonly [
  account: string,
  platform: Platform,
  name: string,
  nativeId: string,
  followers: number | null,
  verified: boolean | null,
  status: AccountStatus,
  seenAt: string,
  isFormer: boolean,
];

export interface PersonJson {
  readonly person: string;
  readonly display_name: string | null;
  readonly is_linkedin_only: boolean;
  readonly members: Readonly<PersonMembers>;
  readonly accounts: readonly AccountJson[];
}

/** Columns of a person `p` with its accounts, as one row. A name that another account was seen with later is a former one. */
export const personColumns = (
  schema: string,
): string => `p.person, p.display_name, p.is_linkedin_only, p.members,
  (select json_agg(json_build_array(a.account, a.platform, a.name, a.native_id, a.followers, a.verified, a.status, a.seen_at,
     exists (select from ${schema}.accounts b where b.platform = a.platform and b.name = a.name and b.seen_at > a.seen_at)))
   from jsonb_array_elements_text(p.accounts) m(account)
   cross join lateral (select * from ${schema}.accounts a where a.account = m.account
     order by ${LAST_TENURE} limit 1) a) as accounts`;

const refOf = ([, platform, name, nativeId, , , , , isFormer]: AccountJson): AccountRef => ({
  platform,
  handle: isFormer ? null : handleIn(platform, name),
  id: nativeId === '' ? null : nativeId,
});

const iso = (text: string): string => new Date(text).toISOString();

/** Never certain: evidence from pages can't be. */
const MOST = 0.9999;

const confidenceOf = (logOdds: number): number =>
  Math.min(MOST, Math.round(probabilityOf(logOdds) * 1e4) / 1e4);

/** A person with the state of its accounts. */
export const personOf = (row: PersonJson): Person => {
  const byKey = new Map(row.accounts.map((one) => [one[0], one]));
  const ref = (key: string | null): AccountRef | null => {
    const found = key === null ? undefined : byKey.get(key);
    return found === undefined ? null : refOf(found);
  };
  const accounts = row.members.flatMap(({ account, log_odds, evidence }) => {
    const shown = byKey.get(account);
    if (shown === undefined) return [];
    const [, , , , followers, verified, status, seenAt] = shown;
    return [
      {
        key: account,
        ...refOf(shown),
        status,
        followers,
        verified,
        last_seen_at: iso(seenAt),
        confidence: log_odds === null ? null : confidenceOf(log_odds),
        log_odds,
        evidence: evidence.map(({ kind, weight, from, to }) => ({
          kind,
          weight,
          from: ref(from),
          to: ref(to),
          observed_at: iso((from === null ? undefined : byKey.get(from))?.[7] ?? seenAt),
        })),
      },
    ];
  });
  const { person: person_id, display_name, is_linkedin_only } = row;
  return { person_id, display_name, is_linkedin_only, accounts };
};

/** The key of a look-up: an account, a name on a platform, or the ID of a person. */
type By = 'account' | 'name' | 'person';

/** A person, and the account that was asked for. For an ID it is the account that the ID was made of. */
export interface FoundPerson {
  readonly person: Person;
  readonly asked: string;
}

/** Look-ups of persons by an account or by an ID. The ID may no longer be that of a person. */
export interface PersonReads {
  ofAccount(key: AccountKey): Promise<FoundPerson | null>;
  byId(person: string): Promise<FoundPerson | null>;
}

/** The account of what was asked for, by SQL on the values `k.value`. */
const ACCOUNT_OF: Readonly<Record<By, (schema: Statement) => Statement>> = {
  account: () => sql`select k.value as account`,
  name: (schema) => sql`
    select account from ${schema}.accounts
    where platform = split_part(k.value, ':', 1) and name = substr(k.value, strpos(k.value, ':') + 1)
    order by seen_at desc, native_id limit 1`,
  person: (schema) => sql`select account from ${schema}.anchors where person = k.value::uuid`,
};

/**
 * Look-ups of one tick share a query. Postgres caches the plans of both statements. Several values are passed as JSON: with an
 * array, whose length Postgres knows, it would plan the statement each time, which takes as long as five look-ups.
 */
export const createPersonReads = (db: Queryable, builds: Pick<Builds, 'schema'>): PersonReads => {
  const create = (by: By) =>
    createBatcher<string, FoundPerson | null>(async (values) => {
      const schema = builds.schema('people');
      const from = ident(schema);
      const isOne = values.length === 1;
      const { rows } = await db.query<PersonJson & { value: string; asked: string }>(sql.named(
        `${schema} ${isOne ? 'person' : 'people'} by ${by}`,
      )`
        select k.value, f.account as asked, ${raw(personColumns(schema))}
        from ${isOne ? sql`(select ${values[0]}::text as value) k` : sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb) as k(value)`}
        cross join lateral (${ACCOUNT_OF[by](from)}) f
        join ${from}.members o on o.account = f.account
        join ${from}.people p on p.person = o.person`);
      const found = new Map(rows.map((row) => [row.value, row]));
      return values.map((value) => {
        const row = found.get(value);
        return row === undefined ? null : { person: personOf(row), asked: row.asked };
      });
    });
  const [account, name, person] = [create('account'), create('name'), create('person')];
  return {
    ofAccount: ({ platform, by, value }) =>
      by === 'id' ? account(`${platform}:id:${value}`) : name(`${platform}:${value}`),
    byId: (id) => person(id),
  };
};
