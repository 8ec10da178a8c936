import { OperatorError } from '../../kernel/errors.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { Neighborhood } from '../../projections/views/people/neighborhood.ts';
import { people } from '../../projections/views/people/projection.ts';
import type { Candidate } from '../../write/people/account.ts';
import {
  type Comparison,
  clusterOf,
  compareGroups,
  type Evidence,
  evidenceOf,
} from '../../write/people/cluster.ts';
import { componentsAround } from '../../write/people/components.ts';
import {
  isAdmissible,
  MAX_COMPONENT,
  METHOD_VERSION,
  MODEL,
  probabilityOf,
} from '../../write/people/signals.ts';
import { accountNamed } from '../account-name.ts';

/** Why two accounts are one person or not. */
export interface Explanation {
  readonly method: string;
  readonly are_one: boolean;
  /** Accounts of the groups that were compared: the whole person without the second account, or both persons. */
  readonly groups: readonly [readonly string[], readonly string[]];
  readonly log_odds: number | null;
  /** The log odds above which two groups are one person. */
  readonly threshold: number;
  readonly confidence: number | null;
  readonly evidence: readonly Evidence[];
  /** Why they are not one person, besides the weights. */
  readonly reasons: readonly string[];
}

/** Schema of the active build of people. @throws {OperatorError} `build_missing` before the first build. */
export const peopleSchema = async (db: Db): Promise<string> => {
  const build = await activeBuild(db, people.name, people.version);
  if (build !== null) return build.schema;
  throw new OperatorError('build_missing', 'there is no active build of people');
};

/** Explains whether two accounts are one person, by the active build of people. */
export const explainPeople = async (
  { db }: { readonly db: Db },
  first: string,
  second: string,
): Promise<Explanation> => {
  const schema = await peopleSchema(db);
  const [a, b] = [await keyOf(db, schema, first), await keyOf(db, schema, second)];
  if (a === b) throw new OperatorError('argument_invalid', `${first} and ${second} are one account`);
  const graph = new Neighborhood(db, schema);
  const components = await componentsAround(graph, new Set([a, b]));
  const component = components.find(({ accounts }) => accounts.includes(a));
  const all = (component?.accounts ?? []).flatMap((key) => graph.account(key)?.candidate ?? []);
  const groups = clusterOf(all, graph, MODEL).groups;
  const groupOf = (key: string) => groups.find((group) => group.some((one) => one.key === key)) ?? [];
  const [candidate, other] = [a, b].map((key) => graph.account(key)?.candidate) as [Candidate, Candidate];
  const own = groupOf(b);
  const areOne = own.includes(candidate);
  const compared: [readonly Candidate[], readonly Candidate[]] = areOne
    ? [own.filter(({ key }) => key !== b), [other]]
    : [groupOf(a), own.length > 0 ? own : [other]];
  const comparison = compareGroups(...compared, { links: graph, model: MODEL });
  const crowded =
    (component?.crowding ?? 0) > 0
      ? [`their component has more than ${MAX_COMPONENT} accounts: only links between two accounts count`]
      : [];
  return {
    method: METHOD_VERSION,
    are_one: areOne,
    groups: [compared[0].map(({ key }) => key), compared[1].map(({ key }) => key)],
    log_odds: comparison === null ? null : Math.round(comparison.logOdds * 100) / 100,
    threshold: MODEL.threshold,
    confidence: comparison === null ? null : probabilityOf(comparison.logOdds),
    evidence: comparison === null ? [] : evidenceOf(comparison, MODEL.weights, graph),
    reasons: areOne ? [] : [...crowded, ...reasonsOf(graph, compared, comparison)],
  };
};

const keyOf = async (db: Db, schema: string, text: string): Promise<string> => {
  const { platform, name, kind } = accountNamed(text);
  const { rows } = await db.query<{ account: string }>(sql`
    select account from ${ident(schema)}.accounts where platform = ${platform}
      and ${raw(kind === 'id' ? 'native_id' : 'name')} = ${name}
    order by seen_at desc limit 1`);
  const [row] = rows;
  if (row === undefined) throw new OperatorError('argument_invalid', `the catalog has no account ${text}`);
  return row.account;
};

/** Why two groups are not one person, besides their weights. */
const reasonsOf = (
  graph: Neighborhood,
  [a, b]: readonly [readonly Candidate[], readonly Candidate[]],
  comparison: Comparison | null,
): readonly string[] => {
  if (comparison !== null)
    return isAdmissible(comparison)
      ? []
      : ['a handle may have had another owner when it was linked to, and names or platforms do not agree'];
  const links = (from: readonly Candidate[], to: readonly Candidate[]) =>
    from.some(({ key }) => to.some((other) => graph.out(key).has(other.key)));
  return links(a, b) || links(b, a)
    ? ['a link one way: nothing that the other side controls answers it']
    : ['no link connects them'];
};
