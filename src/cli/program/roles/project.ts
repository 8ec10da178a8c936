import { projections } from '../../../projections/registry.ts';
import { runProjection } from '../../../projections/runner.ts';
import { runWorker } from '../../../projections/worker/index.ts';
import type { Fanout } from '../../../write/fanout/port.ts';
import type { Program } from '../open.ts';
import type { Running } from './running.ts';

/** Keeps every projection up to date: those that can be shared through Kafka, where there is one. */
export const startProjections = (program: Program, fanout: Fanout | null): Running => {
  const { scratch, log, logger, url, readDoor } = program;
  const stopping = new AbortController();
  const options = { db: scratch, log, logger, connectionString: url, signal: stopping.signal };
  const running = projections.map((projection) =>
    fanout !== null && projection.order === 'stream'
      ? runWorker(projection, { ...options, fanout, readDoor })
      : runProjection(projection, options),
  );
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
