import { type ChannelCredentialOptions, EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import rpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { Logger } from '../../../kernel/logger.ts';
import type { ConnectionString } from './connection-string.ts';
import { allowTlsByAddress } from './tls-by-address.ts';

type Options = { readonly deadline: number };
type Stub = {
  read(request: ReadReq, metadata: unknown, options: unknown): ResponseStream;
  batchAppend(metadata: unknown, options: unknown): AppendStream;
};

/** What a node answers, a message at a time, until it or we end it. */
export interface ResponseStream extends AsyncIterable<ReadResp> {
  on(event: 'data', listener: (response: ReadResp) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'end', listener: () => void): this;
  pause(): this;
  resume(): this;
  cancel(): void;
}

/** The one call over which many appends travel. */
export interface AppendStream {
  on(event: 'data', listener: (response: BatchAppendResp) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'end' | 'drain' | 'close', listener: () => void): this;
  off(event: 'drain' | 'close', listener: () => void): this;
  /** False where what was written is to be waited for. */
  write(request: BatchAppendReq): boolean;
  cancel(): void;
}

interface Channel {
  getConnectivityState(connect: boolean): number;
  watchConnectivityState(state: number, deadline: number, then: (error?: Error) => void): void;
  close(): void;
}

const IDLE = 0;
const CONNECTING = 1;

/** The parts of the client that are protected or private in its types, and are what its own calls are made of. */
interface Inside {
  GRPCStreamCreator<S>(service: unknown, name: string, create: (stub: Stub) => S): () => Promise<S>;
  callArguments(options: { requiresLeader: boolean }, call: Options): [unknown, unknown];
  handleError(client: unknown, error: Error): Promise<void>;
  getChannel(): Promise<Channel>;
}

/**
 * A connection to EventStoreDB. The client finds the node, reconnects, and moves to a new leader; requests are made
 * of its generated messages here, because of its own ones a read knows no filter, and appends of two connections of
 * one process share a table of who waits, which one connection's failure empties for both.
 */
export interface Connection {
  read(request: ReadReq): Promise<ResponseStream>;
  batchAppend(): Promise<AppendStream>;
  close(): Promise<void>;
}

/** Calls that last are ended by keep-alive where the node is dead or frozen, not by a clock. */
const NO_DEADLINE = { deadline: Number.POSITIVE_INFINITY };

const clientOf = ({
  hosts,
  discover,
  options,
  channel,
  credentials,
}: ConnectionString): EventStoreDBClient => {
  const { nodePreference, maxDiscoverAttempts, discoveryInterval, gossipTimeout, ...keepAlive } = options;
  const common = { ...keepAlive, throwOnAppendFailure: true, connectionName: 'sightline' };
  const cluster = {
    ...(nodePreference === undefined ? {} : { nodePreference }),
    ...(maxDiscoverAttempts === undefined ? {} : { maxDiscoverAttempts }),
    ...(discoveryInterval === undefined ? {} : { discoveryInterval }),
    ...(gossipTimeout === undefined ? {} : { gossipTimeout }),
  };
  const [first] = hosts;
  if (first === undefined) throw new Error('an address without a host');
  const secure: [ChannelCredentialOptions, ConnectionString['credentials']] = [channel, credentials];
  if (discover) return new EventStoreDBClient({ ...common, ...cluster, discover: first }, ...secure);
  if (hosts.length === 1) return new EventStoreDBClient({ ...common, endpoint: first }, ...secure);
  return new EventStoreDBClient({ ...common, ...cluster, endpoints: [...hosts] }, ...secure);
};

/** Opens nothing yet: the first call does. */
export const connect = (address: ConnectionString, logger: Logger): Connection => {
  allowTlsByAddress();
  const client = clientOf(address);
  const inside = client as unknown as Inside;
  // Only the leader is sure to have what it acknowledged; whoever prefers other nodes accepts that they lag.
  const requiresLeader = (address.options.nodePreference ?? 'leader') === 'leader';
  let used = false;
  /**
   * A frozen node takes a connection and then says nothing, which nothing else gives up on: neither keep-alive, which
   * begins later, nor a deadline, which calls that last have none of.
   */
  const connected = async (): Promise<void> => {
    const channel = await inside.getChannel();
    const deadline = Date.now() + address.options.keepAliveTimeout;
    for (;;) {
      const state = channel.getConnectivityState(true);
      if (state !== IDLE && state !== CONNECTING) return;
      const late = await new Promise<Error | undefined>((resolve) => {
        channel.watchConnectivityState(state, deadline, resolve);
      });
      if (late === undefined) continue;
      const error = Object.assign(new UnavailableError(), {
        message: 'the node takes connections and says nothing',
      });
      // The next call goes to another node where there is one.
      await inside.handleError({ getChannel: () => channel }, error);
      throw error;
    }
  };
  const call = async <S extends ResponseStream | AppendStream>(
    name: string,
    create: (stub: Stub) => S,
  ): Promise<S> => {
    used = true;
    await connected();
    const stream = await inside.GRPCStreamCreator(rpc.StreamsClient, name, create)();
    // An error that comes after the reader has left has no other listener, and would end the process.
    (stream as ResponseStream).on('error', () => undefined);
    return stream;
  };
  // The client leaves this promise alone, and it rejects where no node of a cluster is found: unhandled, that is
  // the process's end.
  const handleError = inside.handleError;
  inside.handleError = (failed, error) =>
    handleError(failed, error).catch((cause: Error) =>
      logger.debug({ err: cause.message }, 'EventStoreDB: no node was found'),
    );
  const argumentsOf = () => inside.callArguments({ requiresLeader }, NO_DEADLINE);
  return {
    read: (request) => call('read', (stub) => stub.read(request, ...argumentsOf())),
    batchAppend: () => call('batchAppend', (stub) => stub.batchAppend(...argumentsOf())),
    close: async () => {
      if (!used) return;
      await client.dispose();
      // Disposing ends the calls and leaves the connection open.
      await inside.getChannel().then(
        (channel) => channel.close(),
        () => undefined,
      );
    },
  };
};
