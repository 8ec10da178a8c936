import { Counter } from 'prom-client';
import type { Fanout } from '../../../write/fanout/port.ts';
import { runRelay } from '../../../write/fanout/relay.ts';
import { retentionMs } from '../fanout.ts';
import type { Program } from '../open.ts';
import type { Running } from './running.ts';

/** Hands the log out to Kafka. */
export const startRelay = (program: Program, fanout: Fanout): Running => {
  const { scratch, log, logger, url, config, metrics } = program;
  const stopping = new AbortController();
  const sent = new Counter({
    name: 'sightline_relay_events_total',
    help: 'Events that this process has handed out to Kafka, by topic.',
    labelNames: ['topic'],
    registers: [metrics],
  });
  const running = runRelay({
    db: scratch,
    connectionString: url,
    log,
    fanout,
    logger,
    signal: stopping.signal,
    retentionMs: retentionMs(config),
    onSent: (topic, events) => sent.inc({ topic }, events),
  });
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
