import type { Queryable } from '../../../kernel/postgres/pool.ts';
import type { MemberRow } from './tables.ts';

/** Whose accounts are until now. */
export class Members {
  readonly #db: Queryable;
  readonly #schema: string;
  readonly #rows = new Map<string, MemberRow | null>();

  constructor(db: Queryable, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  async load(accounts: Iterable<string>): Promise<void> {
    const wanted = [...accounts].filter((key) => !this.#rows.has(key));
    if (wanted.length === 0) return;
    for (const key of wanted) this.#rows.set(key, null);
    const { rows } = await this.#db.query<MemberRow>({
      name: `members of ${this.#schema}`,
      text: `select account, person, crowding from ${this.#schema}.members where account = any($1)`,
      values: [wanted],
    });
    for (const row of rows) this.#rows.set(row.account, row);
  }

  of(account: string): MemberRow | null {
    return this.#rows.get(account) ?? null;
  }

  crowding(account: string): number {
    return this.of(account)?.crowding ?? 0;
  }
}
