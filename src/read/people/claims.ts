import { createBatcher } from '../../kernel/batch.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { handleIn, isInDirectory } from '../../platforms/index.ts';
import { type DriverRow, driverReader } from '../../projections/table/table.ts';
import {
  type AccountRow,
  accountTable,
  candidateIn,
  isLater,
  LAST_TENURE,
} from '../../projections/views/people/tables.ts';
import type { AccountStatus } from '../../write/accounts/account.ts';
import { type Candidate, isPage } from '../../write/people/account.ts';
import { agreementsOf, type ClaimEvidenceKind, isNamedAlike } from '../../write/people/claims.ts';
import { sameHandleElsewhere } from '../../write/people/impersonation.ts';
import type { Builds } from '../active-builds.ts';
import type { AccountRef, Person } from './person.ts';

export interface ClaimEvidence {
  readonly kind: ClaimEvidenceKind;
  readonly from: AccountRef;
  readonly to: AccountRef;
  readonly observed_at: string;
}

/** An account that links to a person's account, or is linked to by it, and is not confirmed. */
export interface Claim extends AccountRef {
  readonly status: AccountStatus;
  readonly followers: number | null;
  readonly verified: boolean | null;
  readonly last_seen_at: string;
  readonly evidence: readonly ClaimEvidence[];
}

export interface Claims {
  /** Null if more accounts have its name than are compared. */
  readonly total: number | null;
  readonly accounts: readonly Claim[];
}

export interface PersonClaims {
  /** Accounts that link to the person's, under an agreeing name or handle. */
  readonly received: Claims;
  /** Accounts that the person's link to. */
  readonly made: Claims;
}

/** Claims of persons that were looked up. */
export interface ClaimReads {
  of(person: Person): Promise<PersonClaims>;
}

/** Claims of each kind that an answer has. */
const MAX_CLAIMS = 20;
/** Accounts that link to one of a person's that are looked through: where more do, those with its name or handle are. */
const MAX_LINKING = 200;
const MAX_NAMESAKES = 200;

const accountOfRow = driverReader(accountTable);

/** An account of a person with everything that links may mean it by. */
interface Own {
  readonly person: string;
  readonly ref: AccountRef;
  readonly row: AccountRow;
  readonly candidate: Candidate;
  readonly meant: readonly string[];
}

interface Other {
  /** By what a person's account links to it; null of one that links to a person's account. */
  readonly target: string | null;
  readonly row: AccountRow;
  readonly candidate: Candidate;
  readonly ref: AccountRef;
}

interface OtherRow {
  readonly person: string;
  readonly is_received: boolean;
  readonly target: string | null;
  readonly is_former: boolean;
  readonly is_capped: boolean;
}

const ownAccounts = async (
  db: Queryable,
  schema: string,
  persons: readonly Person[],
): Promise<readonly Own[]> => {
  const ofPerson = new Map(
    persons.flatMap(({ person_id: person, accounts }) =>
      accounts.map(
        ({ key, platform, handle, id }) => [key, { person, ref: { platform, handle, id } }] as const,
      ),
    ),
  );
  const { rows } = await db.query<DriverRow<AccountRow>>(sql.named(`${schema} accounts of persons`)`
    select a.* from jsonb_array_elements_text(${JSON.stringify([...ofPerson.keys()])}::jsonb) k(account)
    cross join lateral (select * from ${ident(schema)}.accounts where account = k.account offset 0) a`);
  const tenures = Map.groupBy(
    rows.map((row) => accountOfRow<AccountRow>(row)),
    ({ account }) => account,
  );
  return [...tenures].flatMap(([account, some]) => {
    const own = ofPerson.get(account);
    if (own === undefined) return [];
    const row = some.reduce((a, b) => (isLater(b, a) ? b : a));
    const domain = row.platform === 'bluesky' ? [`page:${row.name}`] : [];
    return {
      ...own,
      row,
      candidate: candidateIn(row, own.ref.handle),
      meant: [account, ...some.map(({ platform, name }) => `${platform}:${name}`), ...domain],
    };
  });
};

/**
 * Accounts that persons link to, and those that link to them: if many do, those with their names or handles. A link means who had the
 * name when it was first seen, or else who was the first to have it.
 */
const otherAccounts = async (db: Queryable, schema: string, own: readonly Own[]) => {
  const asked = [...Map.groupBy(own, ({ person }) => person)].map(([person, some]) => ({
    person,
    accounts: some.map(({ row }) => row.account),
    meant: some.flatMap(({ meant }) => meant),
    names: [...new Set(some.flatMap(({ row }) => row.name_key ?? []))],
    handles: some.flatMap(({ row, candidate }) =>
      candidate.handle === null
        ? []
        : sameHandleElsewhere(row.platform, candidate.handle).map(
            ({ platform, handle }) => `${platform}:${handle}`,
          ),
    ),
    linked: some.flatMap(({ row }) =>
      row.targets.flatMap((target, n) => (isPage(target) ? [] : { target, at: row.targets_at[n] as string })),
    ),
  }));
  const from = ident(schema);
  const named = (key: string) => sql`select account from ${from}.accounts
    where platform = split_part(${raw(key)}, ':', 1) and name = substr(${raw(key)}, strpos(${raw(key)}, ':') + 1)`;
  const { rows } = await db.query<DriverRow<AccountRow> & OtherRow>(sql.named(`${schema} claims`)`
    with asked as materialized (select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        k(person uuid, accounts jsonb, meant jsonb, names jsonb, handles jsonb, linked jsonb)),
    linking as materialized (select k.person, l.account, l.n from asked k
      cross join lateral jsonb_array_elements_text(k.meant) t(target)
      cross join lateral (select account, row_number() over () as n from ${from}.links
        where target = t.target limit ${raw(MAX_LINKING + 1)}) l),
    crowded as (select distinct person from linking where n > ${raw(MAX_LINKING)}),
    namesakes as materialized (select k.person, l.account, l.n from asked k join crowded using (person)
      cross join lateral jsonb_array_elements_text(k.names) n(name_key)
      cross join lateral (select account, row_number() over () as n from ${from}.accounts
        where name_key = n.name_key limit ${raw(MAX_NAMESAKES + 1)}) l),
    alike as (select person, account from namesakes
      union select k.person, a.account from asked k join crowded using (person)
        cross join lateral jsonb_array_elements_text(k.handles) h(handle)
        cross join lateral (${named('h.handle')} offset 0) a),
    others as (
      select distinct person, account, true as is_received, null as target from linking
        where person not in (select person from crowded)
      union all
      select k.person, c.account, true, null from asked k join alike c on c.person = k.person
        where exists (select from ${from}.accounts a cross join jsonb_array_elements_text(k.meant) t(target)
          join ${from}.links l on l.target = t.target and l.platform = a.platform and l.name = a.name
            and l.native_id = a.native_id
          where a.account = c.account)
      union all
      select k.person, f.account, false, min(t.target) from asked k
        cross join lateral jsonb_to_recordset(k.linked) t(target text, at timestamptz)
        cross join lateral ((${named('t.target')}
            order by since > t.at, case when since <= t.at then since end desc, since, account limit 1)
          union (select account from ${from}.accounts where account = t.target limit 1)) f
        group by k.person, f.account)
    select o.person, o.is_received, o.target, a.*,
      exists (select from ${from}.accounts b where b.platform = a.platform and b.name = a.name
        and b.seen_at > a.seen_at) as is_former,
      exists (select from namesakes n where n.person = o.person and n.n > ${raw(MAX_NAMESAKES)}) as is_capped
    from others o join asked k on k.person = o.person and not k.accounts ? o.account
    cross join lateral (select * from ${from}.accounts where account = o.account
      order by ${raw(LAST_TENURE)} limit 1) a`);
  return rows;
};

const otherOf = ({ is_former, target, ...row }: DriverRow<AccountRow> & OtherRow): Other => {
  const account = accountOfRow<AccountRow>(row);
  const handle = is_former ? null : handleIn(account.platform, account.name);
  return {
    target,
    row: account,
    candidate: candidateIn(account, handle),
    ref: {
      platform: account.platform,
      handle,
      id: account.native_id === '' ? null : account.native_id,
    },
  };
};

/** What accompanies a claim, of the person's account that is the likest. */
const evidenceOf = (
  { target, row, candidate, ref }: Other,
  own: readonly Own[],
): readonly ClaimEvidence[] => {
  const pointsAt = ({ meant }: Own) => row.targets.some((each) => meant.includes(each));
  const linked = own.filter((one) => (target === null ? pointsAt(one) : one.row.targets.includes(target)));
  const found = linked.map((one) => ({ one, kinds: agreementsOf(candidate, one.candidate) }));
  const [best] = found.toSorted((a, b) => b.kinds.length - a.kinds.length);
  if (best === undefined) return [];
  const kinds: readonly ClaimEvidenceKind[] = [
    target !== null && pointsAt(best.one) ? 'mutual_link' : 'bio_link',
    ...best.kinds,
    ...(candidate.isDisclaimed ? (['disclaimer'] as const) : []),
    ...(row.verified === true ? (['claimant_verified'] as const) : []),
  ];
  const [from, to] = target === null ? [ref, best.one.ref] : [best.one.ref, ref];
  const observed_at = target === null ? row.seen_at : best.one.row.seen_at;
  return kinds.map((kind) => ({ kind, from, to, observed_at }));
};

/** Verified ones first, then large ones; those of LinkedIn last, by nothing that is not for all. */
const rankOf = ({ row }: Other): readonly [number, number] =>
  isInDirectory(row.platform) ? [row.verified === true ? 1 : 0, row.followers ?? -1] : [-1, -1];

const byRank = (a: Other, b: Other): number => {
  const [[verified, size], [otherVerified, otherSize]] = [rankOf(a), rankOf(b)];
  return otherVerified - verified || otherSize - size || (a.row.account < b.row.account ? -1 : 1);
};

const claimsOf = (
  rows: readonly (DriverRow<AccountRow> & OtherRow)[],
  own: readonly Own[],
  isReceived: boolean,
): Claims => {
  const claims = rows
    .filter(({ is_received }) => is_received === isReceived)
    .map(otherOf)
    .toSorted(byRank)
    .map((other) => ({ other, evidence: evidenceOf(other, own) }))
    .filter(
      ({ evidence }) =>
        evidence.length > 0 && (!isReceived || isNamedAlike(evidence.map(({ kind }) => kind))),
    );
  return {
    total: isReceived && rows.some(({ is_capped }) => is_capped) ? null : claims.length,
    accounts: claims.slice(0, MAX_CLAIMS).map(({ other: { ref, row }, evidence }) => ({
      ...ref,
      status: row.status,
      followers: row.followers,
      verified: row.verified,
      last_seen_at: row.seen_at,
      evidence,
    })),
  };
};

export const createClaimReads = (db: Queryable, builds: Builds): ClaimReads => {
  const read = createBatcher<Person, PersonClaims>(async (persons) => {
    const schema = builds.schema('people');
    const own = await ownAccounts(db, schema, persons);
    const rows = Map.groupBy(await otherAccounts(db, schema, own), ({ person }) => person);
    const byPerson = Map.groupBy(own, ({ person }) => person);
    return persons.map(({ person_id }) => {
      const [mine, others] = [byPerson.get(person_id) ?? [], rows.get(person_id) ?? []];
      return { received: claimsOf(others, mine, true), made: claimsOf(others, mine, false) };
    });
  });
  return { of: read };
};
