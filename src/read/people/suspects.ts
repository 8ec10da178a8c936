import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, type Statement, sql } from '../../kernel/postgres/statement.ts';
import { handleIn, isInDirectory } from '../../platforms/index.ts';
import { type DriverRow, driverReader } from '../../projections/table/table.ts';
import {
  type AccountRow,
  accountTable,
  candidateIn,
  LAST_TENURE,
} from '../../projections/views/people/tables.ts';
import { type Candidate, MAX_SHARERS } from '../../write/people/account.ts';
import {
  type Direction,
  directionOf,
  impersonationLogOdds,
  isAcknowledged,
  isUnconfirmedCopy,
  MAX_NAMESAKES,
  partsOf,
  sameHandleElsewhere,
  type Verdict,
  verdictOf,
  type WeightedPart,
  weightedParts,
} from '../../write/people/impersonation.ts';
import { probabilityOf } from '../../write/people/signals.ts';
import type { Builds } from '../active-builds.ts';

const accountOfRow = driverReader(accountTable);

/**
 * - `likely`, `possible`: by the log odds.
 * - `unconfirmed_copy`: it claims to be the account and shows what that shows, as an own account that nothing answers does.
 */
export type SuspectVerdict = Verdict | 'unconfirmed_copy';

/** An account that presents itself as the one that was asked about, as far as its features tell. */
export interface Suspect {
  readonly platform: Platform;
  /** Null if another account has it by now. */
  readonly handle: string | null;
  readonly id: string | null;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly verified: boolean | null;
  readonly last_seen_at: string;
  readonly verdict: SuspectVerdict;
  /** Whether it copies the account, is copied by it, or one of them copies the other. */
  readonly direction: Direction;
  /** Share of impersonators among suspects with these log odds, over all accounts; null unless it copies, and of an unconfirmed copy. */
  readonly risk: number | null;
  readonly logOdds: number;
  readonly parts: readonly WeightedPart[];
}

export interface Suspects {
  /** The named suspects, the most certain first. */
  readonly suspects: readonly Suspect[];
  /** Accounts that the one which was asked about seems to copy. */
  readonly originals: readonly Suspect[];
  /** Accounts that were compared. */
  readonly compared: number;
  /** Whether the name has more bearers than are compared. */
  readonly isCapped: boolean;
}

export interface SuspectReads {
  /** Impersonators of the account that has a handle; null if the view of people has none. */
  of(platform: Platform, handle: string): Promise<Suspects | null>;
}

/**
 * The account with a handle, its person's accounts, and its suspects: accounts with its name, with a link that few
 * others have, with its handle elsewhere, and with a handle that it has left. A row is of an account under its
 * present name. The handles are JSON: with an array, whose length it knows, Postgres would plan the statement each time.
 */
const near = (schema: string, platform: Platform, handle: string): Statement => {
  const from = ident(schema);
  return sql.named(`${schema} suspects`)`
    with subject as materialized (select account, platform, name, name_key, targets from ${from}.accounts
      where platform = ${platform} and name = ${handle} order by seen_at desc, native_id limit 1),
    own as (select o.account from subject s join ${from}.members m on m.account = s.account
      join ${from}.people p on p.person = m.person
      cross join lateral jsonb_array_elements_text(p.accounts) o(account)),
    namesakes as materialized (select l.account from subject s cross join lateral
      (select account from ${from}.accounts where name_key = s.name_key limit ${raw(MAX_NAMESAKES + 1)}) l),
    near as (select account from own union select account from subject union select account from namesakes
      union select l.account from subject s cross join lateral jsonb_array_elements_text(s.targets) t(target)
        cross join lateral (select f.account, count(*) over () as n from
          (select account from ${from}.links where target = t.target limit ${raw(MAX_SHARERS + 1)}) f) l
        where l.n <= ${raw(MAX_SHARERS)}
      union select a.account
        from jsonb_to_recordset(${JSON.stringify(sameHandleElsewhere(platform, handle))}::jsonb) k(platform text,
        handle text)
        cross join lateral (select account from ${from}.accounts where platform = k.platform
          and name = k.handle offset 0) a
      union select a.account from subject s
        join ${from}.accounts f on f.account = s.account and f.name <> s.name
        cross join lateral (select account from ${from}.accounts where platform = f.platform
          and name = f.name offset 0) a)
    select a.*,
      exists (select from own o where o.account = n.account) as is_own,
      (select jsonb_array_length(p.accounts) > 1 from ${from}.members m join ${from}.people p on p.person = m.person
        where m.account = n.account) as is_grouped,
      exists (select from ${from}.accounts b where b.platform = a.platform and b.name = a.name
        and b.seen_at > a.seen_at) as is_former,
      (select string_agg(f.name, ' ') from ${from}.accounts f where f.account = a.account
        and f.name <> a.name) as former,
      (select account from subject) as subject, (select count(*) from namesakes) as namesakes
    from near n cross join lateral (select * from ${from}.accounts where account = n.account
      order by ${raw(LAST_TENURE)} limit 1) a`;
};

/** What the statement adds to the row of an account. */
interface Added {
  readonly is_own: boolean;
  readonly is_grouped: boolean | null;
  readonly is_former: boolean;
  readonly former: string | null;
  readonly subject: string;
  readonly namesakes: string;
}

interface Found {
  readonly row: AccountRow;
  readonly candidate: Candidate;
  readonly isOwn: boolean;
  /** Whether it is one of several accounts of a person; null if the view has no person for it. */
  readonly isGrouped: boolean | null;
  readonly former: readonly string[];
}

const foundOf = ({
  is_own,
  is_grouped,
  is_former,
  former,
  ...account
}: DriverRow<AccountRow> & Added): Found => {
  const row = accountOfRow<AccountRow>(account);
  return {
    row,
    candidate: candidateIn(row, is_former ? null : handleIn(row.platform, row.name)),
    isOwn: is_own,
    isGrouped: is_grouped,
    former: former?.split(' ') ?? [],
  };
};

/** The contents of LinkedIn's pages are not shown to everyone, and accounts that are gone deceive nobody. */
const isShown = ({ row }: Found): boolean =>
  isInDirectory(row.platform) && (row.status === 'active' || row.status === 'private');

const suspectOf = (
  { row, candidate, isOwn, isGrouped, former }: Found,
  asked: Parameters<typeof partsOf>[1],
): Suspect | null => {
  const membership = isGrouped === null ? null : { isSamePerson: isOwn, isOtherPerson: !isOwn && isGrouped };
  const parts = partsOf(candidate, asked, membership);
  const logOdds = impersonationLogOdds(parts);
  const verdict = isUnconfirmedCopy(candidate, asked, membership) ? 'unconfirmed_copy' : verdictOf(logOdds);
  if (verdict === null) return null;
  const left = former.map((name) => `${row.platform}:${name}` as const);
  const direction = directionOf(candidate, asked, membership, left);
  return {
    platform: row.platform,
    handle: candidate.handle,
    id: row.native_id === '' ? null : row.native_id,
    display_name: candidate.displayName,
    followers: row.followers,
    verified: row.verified,
    last_seen_at: row.seen_at,
    verdict,
    direction,
    risk: verdict === 'unconfirmed_copy' || direction !== 'copies' ? null : probabilityOf(logOdds),
    logOdds,
    parts: weightedParts(parts),
  };
};

/** Look-ups of accounts that present themselves as a given account, in the view of people. */
export const createSuspectReads = (db: Queryable, builds: Builds): SuspectReads => ({
  of: async (platform, handle) => {
    const schema = builds.schema('people');
    const { rows } = await db.query<DriverRow<AccountRow> & Added>(near(schema, platform, handle));
    const found = rows.map(foundOf);
    const subject = found.find(({ row }) => row.account === rows[0]?.subject);
    if (subject === undefined) return null;
    const asked = {
      account: subject.candidate,
      others: found.filter((one) => one.isOwn && one !== subject).map(({ candidate }) => candidate),
      former: found.flatMap((one) =>
        one.isOwn || one === subject ? one.former.map((name) => `${one.row.platform}:${name}`) : [],
      ),
    };
    const compared = found.filter(
      (one) => one !== subject && isShown(one) && !isAcknowledged(one.candidate, asked),
    );
    const alike = compared
      .flatMap((one) => suspectOf(one, asked) ?? [])
      .toSorted(
        (a, b) =>
          b.logOdds - a.logOdds || (`${a.platform}:${a.handle}` < `${b.platform}:${b.handle}` ? -1 : 1),
      );
    return {
      suspects: alike.filter(({ direction }) => direction !== 'is_copied'),
      originals: alike.filter(({ direction }) => direction === 'is_copied'),
      compared: compared.length,
      isCapped: Number(rows[0]?.namesakes) > MAX_NAMESAKES,
    };
  },
});
