import { Counter } from 'prom-client';
import type { Check } from '../../../api/services.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { type Fanout, FanoutMismatch, FanoutUnavailable } from '../../../write/fanout/port.ts';
import { type RelayState, runRelay } from '../../../write/fanout/relay.ts';
import { retentionMs } from '../fanout.ts';
import type { Program } from '../open.ts';
import type { Running } from './running.ts';

/** What is said of a relay that fails. Its log says more: whoever asks for health may be anybody. */
const failureOf = (error: unknown): string => {
  if (error instanceof FanoutUnavailable)
    return 'the brokers do not answer, or do not take what they are sent';
  if (error instanceof FanoutMismatch) return 'a topic is not as it was made';
  return 'it has failed';
};

const checkOf = (state: RelayState): Check => {
  const name = 'relay';
  switch (state.is) {
    case 'beginning':
      return { name, ok: false, detail: 'begins' };
    case 'waiting':
      return { name, ok: true, detail: 'waits: another process has the lease' };
    case 'working': {
      const { takenAtMs } = state;
      const taken = takenAtMs === null ? 'has taken nothing yet' : `last took events at ${isoOf(takenAtMs)}`;
      return { name, ok: true, detail: `has the lease, and has reached Kafka, which ${taken}` };
    }
    case 'failing':
      return { name, ok: false, detail: `${failureOf(state.error)}: its log says more, and it tries again` };
  }
};

/** Hands the log out to Kafka, and says how that goes. */
export const startRelay = (program: Program, fanout: Fanout): Running & { check(): Check } => {
  const { scratch, log, logger, url, config, metrics } = program;
  const stopping = new AbortController();
  const sent = new Counter({
    name: 'sightline_relay_events_total',
    help: 'Events that this process has handed out to Kafka, by topic.',
    labelNames: ['topic'],
    registers: [metrics],
  });
  let state: RelayState = { is: 'beginning' };
  const running = runRelay({
    db: scratch,
    connectionString: url,
    log,
    fanout,
    logger,
    signal: stopping.signal,
    retentionMs: retentionMs(config),
    onSent: (topic, events) => sent.inc({ topic }, events),
    onState: (now) => {
      state = now;
    },
  });
  return {
    check: () => checkOf(state),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
