import { Counter } from 'prom-client';
import type { Check } from '../../api/services.ts';
import { isoOf } from '../../kernel/clock.ts';
import { BrokerUnavailableError, type Messaging, TopicMismatchError } from '../../write/messaging/port.ts';
import { type RelayState, runRelay } from '../../write/messaging/relay.ts';
import { retentionMs } from '../messaging.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/** What is said of a relay that fails. Its log says more: whoever asks for health may be anybody. */
const failureOf = (error: unknown): string => {
  if (error instanceof BrokerUnavailableError)
    return 'the brokers do not answer, or do not take what they are sent';
  if (error instanceof TopicMismatchError) return 'a topic is not as it was made';
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
      const { lastAckMs } = state;
      const taken = lastAckMs === null ? 'has taken nothing yet' : `last took events at ${isoOf(lastAckMs)}`;
      return { name, ok: true, detail: `has the lease, and has reached Kafka, which ${taken}` };
    }
    case 'failing':
      return { name, ok: false, detail: `${failureOf(state.error)}: its log says more, and it tries again` };
  }
};

/** Hands the log out to Kafka, and says how that goes. */
export const startRelay = (runtime: Runtime, messaging: Messaging): Running & { check(): Check } => {
  const { scratch, log, logger, url, config, metrics } = runtime;
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
    messaging,
    logger,
    signal: stopping.signal,
    retentionMs: retentionMs(config),
    onPublished: (topic, events) => sent.inc({ topic }, events),
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
