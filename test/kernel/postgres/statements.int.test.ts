import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBuilds } from '../../../src/projections/builds/builds.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openSources, type Site } from '../../support/statements.ts';

/** Loads modules as the sources do. */
const load = createRequire(import.meta.url);

/** Ways in which what is not known of a statement is chosen: its variants. */
const WORLDS = 24;

const PREPARED = /^\(*(?:with|select|insert|update|delete|declare)\b/i;
/** These name no columns. */
const COMMAND =
  /^(?:begin|commit|rollback|savepoint|release|set|listen|notify|lock|fetch|close|create|alter|drop|analyze|vacuum)\b/i;

/** What is made of the tables of a catalog, or of choices of a caller that types don't tell: tests of their folders run them. */
const UNREACHED: readonly string[] = [
  'src/operations/backup/tables.ts: declare saved no scroll cursor for select row_to_j',
  'src/operations/backup/tables.ts: insert into {ident(schema)}. {ident(table)} ( {raw',
  'src/operations/subjects/export.ts: (native_id = {nativeId} or (native_id is null and',
  'src/operations/subjects/export.ts: select to_jsonb(t) as row from {ident( {schema}. {',
  'src/operations/subjects/reapply.ts: select distinct handle from {ident(table)} where p',
  'src/operations/subjects/subjects.ts: select count(*)::float8 as n from {ident(name)} t',
  'src/read/subjects.ts: select name from ( select name, seen_at from {iden',
  'src/operations/people/explain.ts: select account from {ident(schema)}.accounts where',
  'src/projections/table/table.ts: select * from {ident(schema)}. {ident( {name}_ {pl',
  'src/projections/verify.ts: declare build_rows no scroll cursor for select tab',
  'src/projections/verify.ts: select (select json_object_agg(key, value) from js',
  'src/projections/views/follows/projection.ts: insert into {ident(schema)}. {ident(table)} as t (',
  'src/read/directory/list.ts: ( select e.* from ( {keys}) as k cross join latera',
  'src/read/directory/list.ts: ( {a}) intersect ( {b})',
  'src/read/directory/list.ts: (select * {from} limit {max}) as candidates',
  'src/read/directory/changes.ts: (position, n) > ( {after}::bigint, {nth})',
  'src/read/directory/list.ts: ( {match} or (platform, entry) in ( {named[i] as F',
  'src/read/directory/list.ts: entry, rank',
  'src/read/directory/similar.ts: (select platform, entry from {words} where word =',
  'src/read/directory/similar.ts: word = {word}',
  'src/read/directory/list.ts: ( {byHandle}, entry) > ( {String(rank)}, {String(e',
  'src/read/directory/list.ts: ( {byRecency}, entry) < ( {String(rank)}::timestam',
  'src/read/directory/list.ts: ( {by}, entry) < ( {String(rank)}::bigint, {String',
  'src/read/directory/list.ts: followers <= {max}',
  'src/read/directory/list.ts: rank desc, entry desc',
  'src/read/directory/list.ts: rank, entry',
  'src/read/follows.ts: and ( {hash} & {every - 1}) = 0',
  'src/read/follows.ts: hashint8extended(member, 0)',
  'src/read/follows.ts: hashtextextended(member, 0)',
  'src/read/follows.ts: select count(*)::int as n, min(last_seen_s)::int a',
  'src/read/follows.ts: select count(a.member)::int as a, count(b.member):',
  'src/read/follows.ts: {edges} and last_seen_s >= {doneSinceS ?? FIRST_S}',
  'src/read/leads.ts: {staff} as staff cross join lateral (select * from',
  'src/read/marketplace/listings.ts: ( {by}, id) < {last}',
  'src/read/marketplace/listings.ts: ( {by}, id) > {last}',
  'src/read/people/search.ts: intersect',
  'src/read/people/person.ts: jsonb_array_elements_text( {JSON.stringify(values)',
  'src/read/people/search.ts: ( {query}) as candidates',
  'src/read/people/search.ts: (select {and(filters)} from {table} p where p.pers',
  'src/read/read-pool.ts: numbered(sql, values ?? [])',
  "src/read/research/lists.ts: kind = any( {sql.array([...OF_POOLS], 'text')})",
  'src/read/research/lists.ts: position <= (select max(last) from {hours} where h',
  'src/read/research/lists.ts: position >= (select min(first) from {hours} where',
  "src/write/log/postgres.ts: and stream not like 'account-%'",
];

/** The site by what does not change with the lines around it. */
const nameOf = ({ file, node }: Site): string =>
  `${file}: ${(ts.isTaggedTemplateExpression(node) ? node.template : node)
    .getText()
    .replaceAll(/[`$\s]+/g, ' ')
    .trim()
    .slice(0, 50)
    .trim()}`;

describe('the statements of the sources', () => {
  let database: TestDatabase;
  let sources: ReturnType<typeof openSources>;
  let prepare: (text: string) => Promise<string | null>;

  beforeAll(async () => {
    database = await createTestDatabase(1, 'built');
    const { db } = database;
    const schemas = new Map((await listBuilds(db)).map(({ projection, schema }) => [projection, schema]));
    const { rows } = await db.query<{ schema: string; name: string }>(
      `select relnamespace::regnamespace::text as schema, relname as name from pg_class where relkind in ('r', 'p')`,
    );
    const tables = Map.groupBy(rows, ({ name }) => name);

    /** The text with the schemas that have the tables it asks for, in each combination. */
    const withSchemas = (text: string): readonly string[] => {
      const having = new Map<string, ReadonlySet<string>>();
      for (const [, standIn = '', table = ''] of text.matchAll(/"?\b(s_\w+)"?\."?(\w+)/g)) {
        const found = new Set(tables.get(table)?.map(({ schema }) => schema));
        having.set(standIn, having.get(standIn)?.intersection(found) ?? found);
      }
      return [...having].reduce<readonly string[]>(
        (texts, [standIn, found]) =>
          texts.flatMap((each) =>
            [...found].map((schema) =>
              each.replaceAll(new RegExp(`"?\\b${standIn}"?\\.`, 'g'), `${schema}.`),
            ),
          ),
        [text],
      );
    };
    const known = new Map<string, Promise<string | null>>();
    const tryAll = async (text: string): Promise<string | null> => {
      let failure = 'no read model has these tables';
      for (const each of withSchemas(text)) {
        try {
          await db.query(`explain (generic_plan) ${each}`);
          return null;
        } catch (error) {
          failure = (error as Error).message;
        }
      }
      return failure;
    };
    prepare = (text) => known.getOrInsertComputed(text, tryAll);

    const isTable = (value: unknown) => value instanceof Object && 'columns' in value && 'key' in value;
    const all = globSync('src/projections/views/*/tables.ts')
      .toSorted()
      .flatMap((file) => Object.values(load(`../../../${file}`)).filter(isTable)) as object[];
    const sums = all.filter((table) => 'sums' in table);
    const { projections } = load('../../../src/projections/registry.ts');
    sources = openSources({
      Statement: () => load('../../../src/kernel/postgres/statement.ts').raw('true'),
      FragmentSqlToken: () => load('slonik').sql.fragment`true`,
      Builds: () => ({ schema: (name: string) => schemas.get(name) }),
      Projection: (world) => projections[world % projections.length],
      Table: (world) => all[world % all.length],
      SumTable: (world) => sums[world % sums.length],
    });
  });
  afterAll(() => database.drop());

  it('are all that is sent to the database', () => {
    expect(sources.unchecked).toEqual([]);
  });

  it('are prepared against the migrated database with all read models', { tags: 'long' }, async () => {
    const prepared: string[] = [];
    const left: { readonly site: Site; readonly why: string }[] = [];
    for (const site of sources.sites) {
      const failures: string[] = [];
      for (let world = 0; world < WORLDS; world++) {
        try {
          const text = sources.textOf(site, world);
          if (COMMAND.test(text)) continue;
          const failure = PREPARED.test(text) ? await prepare(text) : 'a part of statements';
          if (failure === null) prepared.push(text);
          else failures.push(failure);
        } catch (error) {
          failures.push((error as Error).message);
        }
      }
      if (failures.length === WORLDS) left.push({ site, why: failures[0] ?? '' });
    }
    // Parts are prepared with what has them in it.
    const unreached = left.filter(({ site }) => !prepared.some((text) => sources.isPartOf(site, text)));
    const names = unreached.map(({ site }) => nameOf(site));
    const news = unreached.filter(({ site }) => !UNREACHED.includes(nameOf(site)));
    expect(news.map(({ site, why }) => `${nameOf(site)} (${why})`)).toEqual([]);
    expect(UNREACHED.filter((name) => !names.includes(name))).toEqual([]);
  });
});
