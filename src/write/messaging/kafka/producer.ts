import type { Kafka, Message } from 'kafkajs';
import { BrokerUnavailableError, type OutgoingMessage, type Producer } from '../port.ts';

const toMessage = ({ key, value, headers, partition, timestampMs }: OutgoingMessage): Message => ({
  key,
  value,
  headers,
  partition,
  timestamp: String(timestampMs),
});

/** An idempotent producer: retries are stored once and stay in order. */
export const openProducer = async (kafka: Kafka): Promise<Producer> => {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
  });
  try {
    await producer.connect();
  } catch (error) {
    throw new BrokerUnavailableError(`no broker available: ${(error as Error).message}`, { cause: error });
  }
  return {
    send: async (messages) => {
      const byTopic = new Map<string, Message[]>();
      for (const message of messages) {
        const list = byTopic.get(message.topic);
        if (list === undefined) byTopic.set(message.topic, [toMessage(message)]);
        else list.push(toMessage(message));
      }
      const topicMessages = [...byTopic].map(([topic, list]) => ({ topic, messages: list }));
      try {
        await producer.sendBatch({ acks: -1, topicMessages });
      } catch (error) {
        throw new BrokerUnavailableError(`publishing failed: ${(error as Error).message}`, {
          cause: error,
        });
      }
    },
    close: () => producer.disconnect(),
  };
};
