import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { runProjection } from '../../src/projections/engine/runner.ts';
import { projections } from '../../src/projections/registry.ts';
import type { EventLog, EventPage } from '../../src/write/log/port.ts';
import { live } from '../support/generated-histories.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { allFollowed } from '../support/rebuilt.ts';

let program: TestProgram;
const stop = new AbortController();
let running: Promise<void>[] = [];

beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(async () => {
  stop.abort();
  await Promise.all(running);
  await program.close();
});

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
};

async function* frozenPages(pages: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
  for await (const page of pages) {
    for (const event of page.events) frozen(event.data);
    yield page;
  }
}

it('no read model changes an event, which others share by reference', { tags: 'long' }, async () => {
  const log: EventLog = {
    ...program.log,
    subscribe: (after, options) => frozenPages(program.log.subscribe(after, options)),
    readAll: (after, options) => frozenPages(program.log.readAll(after, options)),
  };
  const { db, url } = program.database;
  running = projections.map((projection) =>
    runProjection(projection, {
      db,
      log,
      connectionString: url,
      logger: silentLogger,
      signal: stop.signal,
    }),
  );
  for (let part = 0; part < 4; part++) await live(program.log, part + 1, 300, part * 300);
  await allFollowed(db, program.log, projections);
  expect((await db.query('select from projections.stalls')).rows).toEqual([]);
});
