import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../src/kernel/postgres/pool.ts';
import { activeSchema } from '../../../src/operations/projections/read-model.ts';

const database = (rows: readonly object[]) =>
  ({ query: async () => ({ rows, rowCount: rows.length }) }) as unknown as Queryable;

describe('the schema of a read model', () => {
  it('is refused before the first build, and never an empty name', async () => {
    await expect(activeSchema(database([]), { name: 'research', version: 1 })).rejects.toMatchObject({
      code: 'read_model_behind',
      message: 'The read model research is still being built: try again later.',
    });
  });
});
