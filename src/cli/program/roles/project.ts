import type { Check } from '../../../api/services.ts';
import type { Projection } from '../../../projections/projection.ts';
import { projections } from '../../../projections/registry.ts';
import { runProjection } from '../../../projections/runner.ts';
import { runWorker } from '../../../projections/worker/index.ts';
import type { Fanout } from '../../../write/fanout/port.ts';
import type { Program } from '../open.ts';
import type { Running } from './running.ts';

const checkOf = (projection: string, places: number | null): Check => ({
  name: `worker ${projection}`,
  ok: places !== null,
  detail: places === null ? 'joins its group: no broker has let it in yet' : `has ${places} places`,
});

/**
 * Keeps every projection up to date: those that can be shared through Kafka, where there is one.
 * @returns also how each worker does.
 */
export const startProjections = (
  program: Program,
  fanout: Fanout | null,
): Running & { readonly checks: readonly (() => Check)[] } => {
  const { scratch, log, logger, url, readDoor } = program;
  const stopping = new AbortController();
  const options = { db: scratch, log, logger, connectionString: url, signal: stopping.signal };
  const checks: (() => Check)[] = [];
  const share = (projection: Projection, way: Fanout): Promise<void> => {
    let places: number | null = null;
    checks.push(() => checkOf(projection.name, places));
    const onShare = (now: number | null) => {
      places = now;
    };
    return runWorker(projection, { ...options, fanout: way, readDoor, onShare });
  };
  const running = projections.map((projection) =>
    fanout !== null && projection.order === 'stream'
      ? share(projection, fanout)
      : runProjection(projection, options),
  );
  return {
    checks,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
