/**
 * Handing the log out to many readers, as the program knows it: two verbs. What is handed out may come twice, late,
 * or not at all (a broker that lost its disk, a retention that was too short): whoever consumes finds that out from
 * the messages themselves (`message.ts`) and from the log.
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

/** A sender: one producer for as long as it is open. */
export interface Producer {
  /**
   * Sends messages, those of a partition in their order. Resolves when the brokers have them for good.
   * @throws {BrokerUnavailableError} where that is not known: the same may be sent again.
   */
  send(messages: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** What a consumer's handler wants done with the rest of what it was given. */
export interface RetryFrom {
  /** To be given again from this offset on, after a while. */
  readonly offset: bigint;
  readonly delayMs: number;
}

/** Where to begin in a partition: at an offset, or at what was recorded from a time on (milliseconds since 1970). */
export type StartFrom = { readonly offset: bigint } | { readonly fromMs: number };

export interface ConsumerOptions {
  /** Members of one group share the partitions among them. */
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * Called when this member's share changes, before any of it is handed over.
   * @returns where to begin, in order; null begins at the oldest.
   */
  onPartitionsAssigned(share: readonly TopicPartition[]): Promise<readonly (StartFrom | null)[]>;
  /**
   * Takes messages of one partition, in order. Calls for several partitions run at the same time. What it throws
   * makes the same messages come again, to this member or to another.
   * @returns null when all is done.
   */
  handle(partition: TopicPartition, messages: readonly IncomingMessage[]): Promise<RetryFrom | null>;
  /** Told when this member has fallen out of its group; it joins anew, which `assigned` tells. */
  readonly onPartitionsLost?: () => void;
  readonly signal: AbortSignal;
}

export interface Messaging {
  /** Makes the topics that are missing, and makes sure that the others are as they should be. */
  ensureTopics(topics: readonly { readonly topic: string; readonly partitions: number }[]): Promise<void>;
  openProducer(): Promise<Producer>;
  /** Consumes until the signal fires, whatever happens to brokers and group meanwhile. */
  consume(options: ConsumerOptions): Promise<void>;
  close(): Promise<void>;
}

/** The brokers can't be reached, or did not answer. */
export class BrokerUnavailableError extends Error {
  override readonly name = 'BrokerUnavailableError';
}

/** The brokers hold something other than what this program was made for: a person has to decide. */
export class TopicMismatchError extends Error {
  override readonly name = 'TopicMismatchError';
}
