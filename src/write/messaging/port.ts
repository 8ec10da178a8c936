/**
 * Port of the message broker. Messages may arrive twice, late or never (a broker that lost its disk, a retention that was too
 * short). Consumers detect that by the messages' envelopes (`message.ts`) and read the log instead.
 */

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface OutgoingMessage extends TopicPartition {
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestampMs: number;
}

export interface IncomingMessage {
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | string | readonly (Buffer | string)[] | undefined>>;
}

/** A producer. */
export interface Producer {
  /**
   * Publishes messages, in order within a partition. Resolves when the brokers have stored them.
   * @throws {BrokerUnavailableError} if that is unknown. The same messages may be published again.
   */
  send(messages: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** Asks for redelivery of messages that a handler did not process. */
export interface RetryFrom {
  /** First offset to deliver again, after a delay. */
  readonly offset: bigint;
  readonly delayMs: number;
}

/** Where to start in a partition: at an offset, or at the first message from a time on (milliseconds since 1970). */
export type StartFrom = { readonly offset: bigint } | { readonly fromMs: number };

export interface ConsumerOptions {
  /** Consumers of one group divide the partitions among themselves. */
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * Called when the assignment changes, before any of its messages is handled.
   * @returns where to start, in order; null starts at the earliest offset.
   */
  onPartitionsAssigned(assigned: readonly TopicPartition[]): Promise<readonly (StartFrom | null)[]>;
  /**
   * Handles messages of one partition, in order. Different partitions run concurrently. If it throws, the messages are delivered
   * again, to this consumer or another.
   * @returns null if all were processed.
   */
  handle(partition: TopicPartition, messages: readonly IncomingMessage[]): Promise<RetryFrom | null>;
  /** Called when this consumer has left its group; it rejoins, which calls `onPartitionsAssigned`. */
  readonly onPartitionsLost?: () => void;
  readonly signal: AbortSignal;
}

export interface Messaging {
  /** Creates missing topics and checks that existing ones match. */
  ensureTopics(topics: readonly { readonly topic: string; readonly partitions: number }[]): Promise<void>;
  openProducer(): Promise<Producer>;
  /** Consumes until the signal fires; recovers from failures of brokers and rebalances. */
  consume(options: ConsumerOptions): Promise<void>;
  close(): Promise<void>;
}

/** No broker is available, or none answered. */
export class BrokerUnavailableError extends Error {
  override readonly name = 'BrokerUnavailableError';
}

/** A topic on the brokers contradicts this program's configuration. An operator has to decide. */
export class TopicMismatchError extends Error {
  override readonly name = 'TopicMismatchError';
}
