import type { Kafka, Message } from 'kafkajs';
import { FanoutUnavailable, type OutgoingMessage, type Sender } from '../port.ts';

const toMessage = ({ key, value, headers, partition, timestampMs }: OutgoingMessage): Message => ({
  key,
  value,
  headers,
  partition,
  timestamp: String(timestampMs),
});

/** One idempotent producer: what it tries again is stored once, and stays in order. */
export const openSender = async (kafka: Kafka): Promise<Sender> => {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
  });
  try {
    await producer.connect();
  } catch (error) {
    throw new FanoutUnavailable(`no broker answers: ${(error as Error).message}`, { cause: error });
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
        throw new FanoutUnavailable(`the brokers did not take it: ${(error as Error).message}`, {
          cause: error,
        });
      }
    },
    close: () => producer.disconnect(),
  };
};
