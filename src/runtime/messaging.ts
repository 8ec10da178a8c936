import type { Config } from '../kernel/config.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { KafkaSettings } from '../write/messaging/kafka/index.ts';
import type { Messaging } from '../write/messaging/port.ts';

/** Retention of published messages on the brokers. */
export const retentionMs = (config: Pick<Config, 'KAFKA_RETENTION_H'>): number =>
  config.KAFKA_RETENTION_H * HOUR_MS;

/**
 * Settings of messaging over KAFKA_BROKERS; null if unset: projections then follow the log directly.
 * @throws {OperatorError} if the settings are inconsistent.
 */
export const messagingSettings = (config: Settings): KafkaSettings | null => {
  const brokers = config.KAFKA_BROKERS;
  if (brokers === undefined) return null;
  return {
    brokers,
    tls: config.KAFKA_TLS,
    sasl: saslOf(config),
    replication: Math.min(config.KAFKA_REPLICATION, brokers.length),
    retentionMs: retentionMs(config),
  };
};

/** Opens messaging; loads the Kafka client only if it is configured. */
export const openMessaging = async (
  settings: KafkaSettings | null,
  logger: Logger,
): Promise<Messaging | null> =>
  settings === null ? null : (await import('../write/messaging/kafka/index.ts')).openKafka(settings, logger);

const HOUR_MS = 3_600_000;

type Settings = Pick<
  Config,
  | 'KAFKA_BROKERS'
  | 'KAFKA_TLS'
  | 'KAFKA_SASL'
  | 'KAFKA_USERNAME'
  | 'KAFKA_PASSWORD'
  | 'KAFKA_REPLICATION'
  | 'KAFKA_RETENTION_H'
>;

const saslOf = ({ KAFKA_SASL: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password }: Settings) => {
  if (mechanism === undefined) {
    if (username === undefined && password === undefined) return undefined;
    throw new OperatorError(
      'setting_invalid',
      'KAFKA_USERNAME and KAFKA_PASSWORD need KAFKA_SASL: plain, scram-sha-256 or scram-sha-512.',
    );
  }
  if (username === undefined || password === undefined) {
    throw new OperatorError('setting_invalid', 'KAFKA_SASL needs KAFKA_USERNAME and KAFKA_PASSWORD.');
  }
  return { mechanism, username, password } as KafkaSettings['sasl'];
};
