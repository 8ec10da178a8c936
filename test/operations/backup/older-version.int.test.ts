import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import { projections } from '../../../src/projections/registry.ts';
import { verify } from '../../../src/projections/verify/verify.ts';
import { accountOf } from '../../../src/write/accounts/events.ts';
import { MEASURABLE } from '../../../src/write/accounts/merge.ts';
import { emptyProfile } from '../../../src/write/accounts/reading.ts';
import { recordSighting } from '../../../src/write/accounts/record-sighting.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec/validating-log.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { loadControl } from '../../../src/write/projection-control/control.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLog } from '../../support/eventstore/log.ts';
import { openNode } from '../../support/eventstore/server.ts';
import { allFollowed } from '../../support/rebuilt.ts';
import { load, openTestDatabaseLog } from './world.ts';

/** Made before events were bounded: links with NUL and of 8,000 characters, a name of 700 kB, times of the year 0. */
const OLDER = new URL('../../fixtures/backups/0.1.0', import.meta.url).pathname;

describe.each(['postgres', 'eventstoredb'] as const)(
  'a backup of an older version, restored into %s',
  (kind) => {
    let database: TestDatabase;
    let log: EventLog;
    let close: () => Promise<void>;
    const stop = new AbortController();
    let running: Promise<void>[] = [];

    beforeAll(async () => {
      database = await createTestDatabase();
      if (kind === 'postgres') {
        await load(database, OLDER);
        log = openTestDatabaseLog(database);
        close = () => log.close();
      } else {
        const node = await openNode();
        await load(database, OLDER, node.url);
        log = withValidation(openTestLog(node.url), eventTypes);
        close = async () => {
          await log.close();
          await node.close();
        };
      }
    });
    afterAll(async () => {
      stop.abort();
      await Promise.all(running);
      await close();
      await database.drop();
    });

    const options = () => ({
      db: database.db,
      connectionString: database.url,
      log,
      logger: silentLogger,
      signal: stop.signal,
      max: 5,
    });

    it('has every stream read, each within the bounds of today', async () => {
      const streams = new Set<string>();
      for await (const page of log.readAll(0n)) for (const event of page.events) streams.add(event.stream);
      expect(streams.size).toBeGreaterThan(6);
      for (const stream of streams) {
        for (const event of await log.readStream(stream)) {
          const { schema } = eventTypes[event.type as keyof typeof eventTypes];
          expect(schema.safeParse(event.data).error, `${event.type} of ${stream}`).toBeUndefined();
        }
      }
      const [nul] = await log.readStream('account-x:nul_in_link', { from: 1n, limit: 1 });
      // The address that was unwrapped ended in NUL: it is none.
      expect(nul?.data).toMatchObject({ profile: { display_name: 'Nul', links: [] } });
    });

    it('has every read model built, none parked or stalled, and verified', async () => {
      running = projections.map((projection) => runProjection(projection, options()));
      await allFollowed(database.db, log, projections);
      for (const projection of projections) {
        expect((await loadControl(log, projection)).sequences.size, projection.name).toBe(0);
        const found = await verify(projection, options());
        expect(found.differences, projection.name).toEqual([]);
      }
      const { rows } = await database.db.query('select from projections.stalls');
      expect(rows).toEqual([]);
    });

    it('has its accounts read again, and decides what that adds', async () => {
      const streams = new Set<string>();
      for await (const page of log.readAll(0n)) {
        for (const event of page.events) if (event.stream.startsWith('account-')) streams.add(event.stream);
      }
      for (const stream of streams) {
        const { platform, handle } = accountOf(stream);
        const sighting = {
          observedAt: '2026-11-20T08:00:00.000Z',
          source: 'live' as const,
          surface: 'page',
          found: {
            status: 'active' as const,
            profile: { ...emptyProfile(handle), followers: 7 },
            posts: [],
            measured: MEASURABLE,
          },
        };
        const { events } = await recordSighting(log, platform, handle, sighting, { nowMs: Date.now() });
        expect(events.length, stream).toBeGreaterThan(0);
      }
      await allFollowed(database.db, log, projections);
    });
  },
);
