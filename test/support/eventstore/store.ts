/** One record of the log. */
export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  /** Where the record begins, in bytes: commit and prepare position at once. */
  readonly at: bigint;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** 100 ns since 1970. */
  readonly ticks: bigint;
}

export type Proposed = Pick<StoredEvent, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

/** Expected revision as in the protocol: any, none, or that of the last event. */
export type Expected = 'any' | 'no_stream' | bigint;

export type Appended =
  | { readonly result: 'success'; readonly revision: bigint; readonly at: bigint | null }
  | { readonly result: 'conflict'; readonly current: bigint | null }
  | { readonly result: 'too-big'; readonly max: number };

export interface StoreOptions {
  readonly now?: () => number;
  /** Maximum size of one append. */
  readonly maxAppendSize?: number;
}

const sizeOf = (event: Proposed): number => event.data.length + event.metadata.length + 2 * event.type.length;

/**
 * What a node keeps: records in one file, and how it decides on appends. It outlives the servers that are started on
 * it; what a node only holds in memory is lost by {@link EventStore.restart}.
 */
export class EventStore {
  readonly records: StoredEvent[] = [];
  readonly streams = new Map<string, StoredEvent[]>();
  /** Where each record begins; reads can start only there. */
  readonly begins = new Set<bigint>();
  readonly followers = new Set<() => void>();
  readonly #now: () => number;
  readonly #max: number;
  #end = 0n;
  /** The latest appends at any revision; a running node recognizes them when they are repeated. */
  #remembered = new Map<string, StoredEvent>();

  constructor({ now = Date.now, maxAppendSize = 1024 * 1024 }: StoreOptions = {}) {
    this.#now = now;
    this.#max = maxAppendSize;
    this.system('$UserCreated');
    this.system('$UserCreated');
  }

  get end(): bigint {
    return this.#end;
  }

  restart(): void {
    this.#remembered = new Map();
    this.followers.clear();
    this.system('$statsCollected');
  }

  /** Appends one of the server's own events among all others. */
  system(type: string): void {
    const data = Buffer.from('{}');
    this.#write('$system', [
      { id: crypto.randomUUID(), type, contentType: 'application/json', data, metadata: data },
    ]);
  }

  #write(stream: string, events: readonly Proposed[]): StoredEvent {
    const held = this.streams.get(stream) ?? [];
    this.streams.set(stream, held);
    for (const proposed of events) {
      const event: StoredEvent = {
        ...proposed,
        stream,
        revision: BigInt(held.length),
        at: this.#end,
        ticks: BigInt(this.#now()) * 10_000n,
      };
      held.push(event);
      this.records.push(event);
      this.begins.add(event.at);
      this.#remembered.set(event.id, event);
      // A record has a head, its stream's name, and its length before and behind it.
      this.#end += BigInt(sizeOf(proposed) + stream.length + 83);
    }
    for (const tell of [...this.followers]) tell();
    return held.at(-1) as StoredEvent;
  }

  /** Revision at which a stream begins: the last of its settings counts. What is before it stays in the log. */
  beginOf(stream: string): bigint {
    const settings = this.streams.get(`$$${stream}`)?.at(-1);
    if (settings?.type !== '$metadata') return 0n;
    const { $tb = 0 } = JSON.parse(Buffer.from(settings.data).toString()) as { readonly $tb?: number };
    return BigInt($tb);
  }

  /** Removes from the log what streams do not begin with any more. Positions stay, and their records are gone. */
  scavenge(): void {
    const kept = this.records.filter(({ stream, revision }) => revision >= this.beginOf(stream));
    this.records.splice(0, this.records.length, ...kept);
    this.system('$scavengeCompleted');
  }

  append(stream: string, expected: Expected, events: readonly Proposed[]): Appended {
    if (events.reduce((sum, event) => sum + sizeOf(event), 0) > this.#max) {
      return { result: 'too-big', max: this.#max };
    }
    const held = this.streams.get(stream) ?? [];
    const last = BigInt(held.length) - 1n;
    const conflict: Appended = { result: 'conflict', current: last < 0n ? null : last };
    if (expected === 'any') {
      const known = events
        .map(({ id }) => this.#remembered.get(id))
        .filter((event) => event?.stream === stream);
      if (known.length === 0) return this.#appended(stream, events);
      if (known.length < events.length) return conflict;
      return this.#repeated(known.at(-1) as StoredEvent);
    }
    const at = expected === 'no_stream' ? -1n : expected;
    if (at > last) return conflict;
    // An empty append is reported as a success at a revision that does not exist.
    if (at === last || events.length === 0) return this.#appended(stream, events);
    const there = held.slice(Number(at) + 1, Number(at) + 1 + events.length);
    const same = there.length === events.length && there.every(({ id }, i) => id === events[i]?.id);
    return same ? this.#repeated(there.at(-1) as StoredEvent) : conflict;
  }

  #appended(stream: string, events: readonly Proposed[]): Appended {
    if (events.length === 0) return { result: 'success', revision: 2n ** 64n - 1n, at: null };
    const { revision, at } = this.#write(stream, events);
    return { result: 'success', revision, at };
  }

  #repeated({ revision, at }: StoredEvent): Appended {
    return { result: 'success', revision, at };
  }
}
