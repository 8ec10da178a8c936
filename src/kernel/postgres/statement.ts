import type pg from 'pg';

/** How the driver prepares a statement and reads its rows. */
type Options = Pick<pg.QueryArrayConfig, 'name' | 'types'> & {
  readonly rowMode?: 'array';
  readonly query_timeout?: number;
};

const textOf = (pieces: readonly string[]): string =>
  pieces.reduce((before, piece, i) => `${before}$${i}${piece}`);

/** A statement, or a part of one, in the form that `pg` takes: its text with `$1`, `$2`, … for parameters, and their values. */
export class Statement implements pg.QueryConfig {
  readonly text: string;
  readonly values: unknown[];
  readonly #pieces: readonly string[];

  /** @param pieces the text before, between and after the values. */
  constructor(pieces: readonly string[], values: unknown[], text = textOf(pieces), options: Options = {}) {
    this.#pieces = pieces;
    this.text = text;
    this.values = values;
    Object.assign(this, options);
  }

  /** The statement with other options. A name must always have the same text, whatever the values are. */
  with(options: Options): Statement {
    return new Statement(this.#pieces, this.values, this.text, options);
  }

  /** Inserts this statement at the end of the last piece of another. */
  appendTo(pieces: string[], values: unknown[]): void {
    if (this.values.length >= this.#pieces.length)
      throw new TypeError('text with numbers of its own is no part');
    pieces[pieces.length - 1] += this.#pieces[0] as string;
    for (let i = 1; i < this.#pieces.length; i++) {
      pieces.push(this.#pieces[i] as string);
      values.push(this.values[i - 1]);
    }
  }
}

/** Texts of templates without spliced statements. Each call of a tag has the same array of strings. */
const texts = new WeakMap<readonly string[], string>();

/**
 * SQL for `pg`. An interpolated value becomes a parameter, text included. An interpolated statement is spliced, and its parameters
 * are renumbered. Lists are read with slonik's tag, which checks their rows. This tag is for everything that slonik's pool does not
 * serve: writes, prepared look-ups of many values, and reads within a transaction or an existing snapshot.
 */
const tag = (strings: readonly string[], ...parts: readonly unknown[]): Statement => {
  if (!parts.some((part) => part instanceof Statement)) {
    const text = texts.get(strings) ?? textOf(strings);
    texts.set(strings, text);
    return new Statement(strings, parts as unknown[], text);
  }
  const pieces = [strings[0] as string];
  const values: unknown[] = [];
  for (const [i, part] of parts.entries()) {
    if (part instanceof Statement) part.appendTo(pieces, values);
    else {
      pieces.push('');
      values.push(part);
    }
    pieces[pieces.length - 1] += strings[i + 1] as string;
  }
  return new Statement(pieces, values);
};

/** The tag. `sql.named('…')` makes a prepared statement of that name. */
export const sql = Object.assign(tag, {
  named:
    (name: string, options?: Options) =>
    (strings: TemplateStringsArray, ...parts: readonly unknown[]): Statement =>
      tag(strings, ...parts).with({ ...options, name }),
});

/**
 * SQL text that the program itself makes, as the columns of a table or constants that plans depend on. Never pass text from
 * outside.
 */
export const raw = (text: string | number): Statement => new Statement([String(text)], []);

const IDENTIFIER = /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*$/;

/**
 * The name of a schema, table or column, or of a table with its schema.
 * @throws {TypeError} if the name would have to be quoted.
 */
export const ident = (name: string): Statement => {
  if (!IDENTIFIER.test(name)) throw new TypeError(`not a plain identifier: ${name}`);
  return raw(name);
};

/**
 * A statement whose text already contains `$1`, `$2`, …: text that is built from the columns of a table, or built once for the many
 * calls of a hot path.
 */
export const numbered = (text: string, values: readonly unknown[], options?: Options): Statement =>
  new Statement([text], [...values], text, options);

/** Joins statements with a separator. */
export const join = (statements: readonly Statement[], between: string): Statement =>
  tag(['', ...statements.slice(1).map(() => between), ''], ...statements);
