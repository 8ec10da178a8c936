import { Counter } from 'prom-client';
import { isoOf } from '../../kernel/clock.ts';
import type { Check } from '../../kernel/health-check.ts';
import { BrokerUnavailableError, type Messaging, TopicMismatchError } from '../../write/messaging/port.ts';
import { type RelayState, runRelay } from '../../write/messaging/relay.ts';
import { retentionMs } from '../messaging.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/** Publishes the log to Kafka and reports its state. */
export const startRelay = (runtime: Runtime, messaging: Messaging): Running & { check(): Check } => {
  const { asyncCommitDb, log, logger, url, config, metrics } = runtime;
  const stopping = new AbortController();
  const sent = new Counter({
    name: 'sightline_relay_published_events_total',
    help: 'Events published to Kafka by this process, by topic.',
    labelNames: ['topic'],
    registers: [metrics],
  });
  let state: RelayState = { is: 'beginning' };
  const running = runRelay({
    db: asyncCommitDb,
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

/** Description of a failure without details, since health may be public. The log has the cause. */
const failureOf = (error: unknown): string => {
  if (error instanceof BrokerUnavailableError) return 'brokers unavailable or rejecting messages';
  if (error instanceof TopicMismatchError) return 'topic configuration mismatch';
  return 'relay failed';
};

const checkOf = (state: RelayState): Check => {
  const name = 'relay';
  switch (state.is) {
    case 'beginning':
      return { name, ok: false, detail: 'starting' };
    case 'waiting':
      return { name, ok: true, detail: 'standby: another process has the lease' };
    case 'working': {
      const { lastAckMs } = state;
      const published =
        lastAckMs === null ? 'nothing published yet' : `last published at ${isoOf(lastAckMs)}`;
      return { name, ok: true, detail: `has the lease and is connected to Kafka; ${published}` };
    }
    case 'failing':
      return { name, ok: false, detail: `${failureOf(state.error)}; retrying, see its log` };
  }
};
