import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ChannelCredentialOptions, EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import rpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { systemClock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { ConnectionString } from './connection-string.ts';
import { allowTlsByAddress } from './tls-by-address.ts';

const PROBE_MS = 2_000;

/** Codes of OpenSSL and Node for a certificate that is not accepted; a node that is not reached has others. */
const CERTIFICATE = /CERT|ISSUER|VERIFY/;

const errorOf = (
  { address, port }: ConnectionString['hosts'][number],
  ca: Buffer | undefined,
): Promise<Error | null> =>
  new Promise((resolve) => {
    const done = (error: Error | null) => {
      socket.destroy();
      resolve(error);
    };
    const socket = connectTls({
      host: address,
      port,
      ...(ca === undefined ? {} : { ca }),
      // A node that speaks HTTP/2 only refuses clients that don't.
      ALPNProtocols: ['h2'],
      ...(isIP(address) === 0 ? { servername: address } : {}),
      timeout: PROBE_MS,
    });
    socket.on('secureConnect', () => done(null));
    socket.on('timeout', () => done(null));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      done(CERTIFICATE.test(error.code ?? '') ? error : null),
    );
  });

/**
 * Why the certificate of one of the hosts is not accepted; null if none is refused. The client's discovery drops the error
 * of each node and reports the number of its attempts only.
 */
const certificateError = async ({ hosts, channel }: ConnectionString): Promise<Error | null> => {
  if (channel.insecure === true) return null;
  const errors = await Promise.all(hosts.map((host) => errorOf(host, channel.rootCertificate)));
  return errors.find((error) => error !== null) ?? null;
};

type Options = { readonly deadline: number };
type Stub = {
  read(request: ReadReq, metadata: unknown, options: unknown): ResponseStream;
  batchAppend(metadata: unknown, options: unknown): AppendStream;
};

/** A streaming response of a node. */
export interface ResponseStream {
  on(event: 'data', listener: (response: ReadResp) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'end', listener: () => void): this;
  pause(): this;
  resume(): this;
  cancel(): void;
}

/** The duplex call that multiplexes appends. */
export interface AppendStream {
  on(event: 'data', listener: (response: BatchAppendResp) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'end' | 'drain' | 'close', listener: () => void): this;
  off(event: 'drain' | 'close', listener: () => void): this;
  /** False if the send buffer is full. */
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

/** Internals of the client that its types hide and its own calls are built on. */
interface Inside {
  GRPCStreamCreator<S>(service: unknown, name: string, create: (stub: Stub) => S): () => Promise<S>;
  callArguments(options: { requiresLeader: boolean }, call: Options): [unknown, unknown];
  handleError(client: unknown, error: Error): Promise<void>;
  getChannel(): Promise<Channel>;
}

/**
 * A connection to EventStoreDB. The client finds nodes, reconnects and follows the leader. Requests are built here
 * from its generated messages, since its own stream reads have no filter, and since appends of all connections of a
 * process share one table of pending calls, which a failure of one connection clears for all.
 */
export interface Connection {
  read(request: ReadReq): Promise<ResponseStream>;
  batchAppend(): Promise<AppendStream>;
  close(): Promise<void>;
}

/** Long-lived calls are ended by keep-alive if the node is dead or frozen, not by a deadline. */
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

/** Lazy: the first call connects. */
export const connect = (address: ConnectionString, logger: Logger): Connection => {
  allowTlsByAddress();
  const client = clientOf(address);
  const inside = client as unknown as Inside;
  // Only the leader is sure to have what it acknowledged; a preference for other nodes accepts their lag.
  const requiresLeader = (address.options.nodePreference ?? 'leader') === 'leader';
  let used = false;
  const discovered = (): Promise<Channel> =>
    inside.getChannel().catch(async (error: Error) => {
      const refused = await certificateError(address);
      if (refused === null) throw error;
      throw Object.assign(new UnavailableError(), { message: `${error.message} ${refused.message}` });
    });
  /**
   * A frozen node accepts connections and then stays silent. Neither keep-alive, which starts later, nor deadlines,
   * which long-lived calls don't have, detect that.
   */
  const connected = async (): Promise<void> => {
    const channel = await discovered();
    // gRPC takes a time of day.
    const deadline = systemClock.now() + address.options.keepAliveTimeout;
    for (;;) {
      const state = channel.getConnectivityState(true);
      if (state !== IDLE && state !== CONNECTING) return;
      const late = await new Promise<Error | undefined>((resolve) => {
        channel.watchConnectivityState(state, deadline, resolve);
      });
      if (late === undefined) continue;
      const error = Object.assign(new UnavailableError(), {
        message: 'the node accepts connections but does not respond',
      });
      // The next call goes to another node if there is one.
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
    // After the reader has left, an error without a listener would end the process.
    (stream as ResponseStream).on('error', () => undefined);
    return stream;
  };
  // The client drops this promise; if no node of a cluster is found its rejection would end the process.
  const handleError = inside.handleError;
  inside.handleError = (failed, error) =>
    handleError(failed, error).catch((cause: Error) =>
      logger.debug({ err: cause.message }, 'EventStoreDB: no node found'),
    );
  const argumentsOf = () => inside.callArguments({ requiresLeader }, NO_DEADLINE);
  return {
    read: (request) => call('read', (stub) => stub.read(request, ...argumentsOf())),
    batchAppend: () => call('batchAppend', (stub) => stub.batchAppend(...argumentsOf())),
    close: async () => {
      if (!used) return;
      await client.dispose();
      // `dispose` ends calls but leaves the connection open.
      await inside.getChannel().then(
        (channel) => channel.close(),
        () => undefined,
      );
    },
  };
};
