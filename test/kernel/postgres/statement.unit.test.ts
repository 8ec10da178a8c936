import { describe, expect, it } from 'vitest';
import { ident, join, numbered, raw, sql } from '../../../src/kernel/postgres/statement.ts';

const shown = ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => [
  text,
  values,
];

describe('a statement', () => {
  it('has interpolated values as parameters, text too', () => {
    const evil = `'; drop table log.events; --`;
    expect(shown(sql`select ${evil}, ${7} from t where a = any(${['x']})`)).toEqual([
      'select $1, $2 from t where a = any($3)',
      [evil, 7, ['x']],
    ]);
  });

  it('numbers the parameters of spliced statements in order of the text, at any depth', () => {
    const inner = sql`b = ${2} and ${sql`c = ${3}`}`;
    const outer = sql`select from t where a = ${1} and (${inner}) or (${inner}) limit ${4}`;
    expect(shown(outer)).toEqual([
      'select from t where a = $1 and (b = $2 and c = $3) or (b = $4 and c = $5) limit $6',
      [1, 2, 3, 2, 3, 4],
    ]);
    expect(inner.text).toBe('b = $1 and c = $2');
  });

  it('joins others', () => {
    expect(shown(join([sql`a = ${1}`, sql`b`, sql`c = ${3}`], ' or '))).toEqual([
      'a = $1 or b or c = $2',
      [1, 3],
    ]);
    expect(shown(join([sql`a = ${1}`], ' or '))).toEqual(['a = $1', [1]]);
  });

  it('has the same text for the same name, even if named later', () => {
    const named = (id: number) => sql.named('by id', { rowMode: 'array' })`select from t where id = ${id}`;
    expect(named(1)).toMatchObject({
      name: 'by id',
      rowMode: 'array',
      text: 'select from t where id = $1',
      values: [1],
    });
    expect(named(2).text).toBe(named(1).text);
    expect(sql`select ${1}`.with({ name: 'one' })).toMatchObject({
      name: 'one',
      text: 'select $1',
      values: [1],
    });
  });

  it('accepts names of schemas, tables and columns, and constants', () => {
    const table = ident('accounts_v1_b3.members');
    expect(
      shown(sql`select ${raw('a, b')} from ${table} where ${ident('a')} = ${0} limit ${raw(5)}`),
    ).toEqual(['select a, b from accounts_v1_b3.members where a = $1 limit 5', [0]]);
  });

  it.each(['', 'a b', 'a"b', "a'b", 'a;b', 'a.', '.a', 'A', '1a', 'a--', 'a\n'])(
    'refuses the identifier %j',
    (name) => {
      expect(() => ident(name)).toThrow('not a plain identifier');
    },
  );

  it('may be text with its own numbers, which cannot be spliced', () => {
    expect(() => sql`select from (${numbered('select $1', [1])})`).toThrow('no part');
    expect(numbered('select $1', [1], { name: 'n' })).toMatchObject({
      text: 'select $1',
      values: [1],
      name: 'n',
    });
  });
});
