/**
 * Connections to EventStoreDB: errors of the client, the connection string, and the calls that the adapter uses.
 * Decision: `docs/adr/0009-eventstoredb-client.md`.
 */

import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  type ChannelCredentialOptions,
  type Credentials,
  type EndPoint,
  EventStoreDBClient,
  UnavailableError,
} from '@eventstore/db-client';
import rpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { systemClock } from '../../../kernel/clock.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';
import { allowTlsByAddress } from './tls-by-address.ts';

/** The parts of a gRPC error that are used here. */
interface CallError {
  readonly code?: number;
  readonly message?: string;
  readonly metadata?: { getMap?(): Record<string, unknown> };
}

const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

const ABORTED = 10;

const exceptionOf = (error: CallError): string => String(error.metadata?.getMap?.().exception ?? '');

export const ACCESS = 'EventStoreDB denied access: check user and password of EVENT_LOG_URL';

/** The text of a definite rejection; null if the failure may be transient or the outcome is unknown. */
const refusalOf = (error: CallError): string | null => {
  const exception = exceptionOf(error);
  if (error.code === UNAUTHENTICATED || error.code === PERMISSION_DENIED || exception === 'access-denied') {
    return ACCESS;
  }
  if (exception === 'stream-deleted') return 'the stream was hard-deleted';
  if (error.code === INVALID_ARGUMENT) {
    return 'EventStoreDB can resume only at 0, at the position of an event, or at the one before it';
  }
  return null;
};

/** OpenSSL's reasons for a chain that ends at an untrusted authority, and for a self-signed certificate. */
const UNKNOWN_AUTHORITY =
  /unable to verify the first certificate|unable to get (?:local )?issuer certificate|self[- ]signed certificate(?: in certificate chain)?/i;

/** No trusted authority signed a node's certificate. The error is permanent until settings or certificates change. */
export class UnknownAuthorityError extends LogUnavailableError {
  constructor(reason: string, options: { readonly cause: unknown }) {
    super(
      `an unknown authority signed the certificate of a node (${reason}): set tlsCAFile in EVENT_LOG_URL to the PEM file ` +
        "of the authority's certificate, as ?tlsCAFile=/etc/eventstore/ca.crt",
      options,
    );
  }
}

/** Converts an error of a call into an error of the port. */
export const portError = (error: unknown): LogRequestRejectedError | LogUnavailableError => {
  if (error instanceof LogRequestRejectedError || error instanceof LogUnavailableError) return error;
  const refusal = refusalOf(error as CallError);
  if (refusal !== null) return new LogRequestRejectedError(refusal, { cause: error });
  const why = (error as CallError).message ?? String(error);
  const [unknown] = UNKNOWN_AUTHORITY.exec(why) ?? [];
  if (unknown !== undefined) return new UnknownAuthorityError(unknown, { cause: error });
  return new LogUnavailableError(`EventStoreDB is unavailable: ${why}`, { cause: error });
};

/** Whether a node ended a live subscription because its reader lagged by more than 32 events. */
export const isTooSlow = (error: unknown): boolean => {
  const { cause = error } = error as { cause?: unknown };
  return (cause as CallError).code === ABORTED && /too slow/i.test((cause as CallError).message ?? '');
};

/** Rejects with {@link LogUnavailableError} on timeout. The operation continues unless `late` ends it. */
export const within = async <T>(ms: number, promise: Promise<T>, late?: () => void): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new LogUnavailableError(`EventStoreDB is unavailable: no response within ${ms} ms`));
      late?.();
    }, ms);
  });
  try {
    return await Promise.race([promise, passed]);
  } finally {
    clearTimeout(timer);
  }
};

/** A parsed EVENT_LOG_URL. It may contain a password and must not be logged. */
export interface ConnectionString {
  readonly hosts: readonly EndPoint[];
  /** Whether the single host is a DNS name for all nodes of a cluster. */
  readonly discover: boolean;
  readonly channel: ChannelCredentialOptions;
  readonly credentials: Credentials | undefined;
  readonly options: ConnectionOptions;
}

export interface ConnectionOptions {
  readonly nodePreference?: 'leader' | 'follower' | 'read_only_replica' | 'random';
  readonly maxDiscoverAttempts?: number;
  readonly discoveryInterval?: number;
  readonly gossipTimeout?: number;
  readonly keepAliveInterval: number;
  readonly keepAliveTimeout: number;
}

/** A frozen node is detected after the sum of both times. The client's defaults add up to 20 s. */
const KEEP_ALIVE = { keepAliveInterval: 10_000, keepAliveTimeout: 5_000 };

const NUMBERS = [
  'maxDiscoverAttempts',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
] as const;
const FILES = ['tlsCAFile', 'userCertFile', 'userKeyFile'] as const;
const PREFERENCES = {
  leader: 'leader',
  follower: 'follower',
  random: 'random',
  readonlyreplica: 'read_only_replica',
} as const;

// Hosts begin after the last @ before the first / or ?, since a password may contain @. KurrentDB is the current name of
// EventStoreDB; its servers and clients accept both schemes.
const SHAPE = /^(?:kurrentdb|esdb)(\+discover)?:\/\/(?:([^/?]*)@)?([^@/?]+)\/?(?:\?(.*))?$/;

const refuse = (what: string): never => {
  throw new OperatorError(
    'event_log_unusable',
    `EVENT_LOG_URL ${what}. Write it as esdb://user:password@host:2113, with more hosts after commas, or ` +
      'esdb+discover://name:2113 for a cluster behind one name; kurrentdb:// and kurrentdb+discover:// are the same; ' +
      '?tls=false for nodes without TLS.',
  );
};

const decoded = (text: string, what: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(`has ${what} that is not percent-encoded as a URL requires`);
  }
};

const hostOf = (text: string): EndPoint => {
  const match = /^([A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(text.trim());
  if (match === null) return refuse('has a host that is neither host nor host:port');
  return { address: match[1] as string, port: Number(match[2] ?? 2113) };
};

const credentialsOf = (text: string | undefined): Credentials | undefined => {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) return refuse('has a user without a password');
  return {
    username: decoded(text.slice(0, colon), 'a user'),
    password: decoded(text.slice(colon + 1), 'a password'),
  };
};

const read = (params: ReadonlyMap<string, string>, key: (typeof FILES)[number]): Buffer | undefined => {
  const path = params.get(key.toLowerCase());
  if (path === undefined) return undefined;
  if (!existsSync(path)) return refuse(`names a ${key} that does not exist: ${path}`);
  return readFileSync(path);
};

const channelOf = (params: ReadonlyMap<string, string>): ChannelCredentialOptions => {
  const tls = params.get('tls') ?? 'true';
  if (tls !== 'true' && tls !== 'false') return refuse('has a tls that is neither true nor false');
  const [rootCertificate, userCertFile, userKeyFile] = FILES.map((key) => read(params, key));
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    return refuse('has only one of userCertFile and userKeyFile: both are required');
  }
  return {
    insecure: tls === 'false',
    ...(rootCertificate === undefined ? {} : { rootCertificate }),
    ...(userCertFile === undefined || userKeyFile === undefined ? {} : { userCertFile, userKeyFile }),
  };
};

const optionsOf = (params: ReadonlyMap<string, string>): ConnectionOptions => {
  const numbers = NUMBERS.flatMap((key) => {
    const text = params.get(key.toLowerCase());
    if (text === undefined) return [];
    if (!/^\d{1,7}$/.test(text) || Number(text) < 1) return refuse(`has a ${key} that is not a whole number`);
    return [[key, Number(text)] as const];
  });
  const wish = params.get('nodepreference');
  const nodePreference = PREFERENCES[wish?.toLowerCase().replaceAll(/[_-]/g, '') as keyof typeof PREFERENCES];
  if (wish !== undefined && nodePreference === undefined) {
    return refuse('has a nodePreference that is none of leader, follower, readOnlyReplica and random');
  }
  return {
    ...KEEP_ALIVE,
    ...Object.fromEntries(numbers),
    ...(nodePreference === undefined ? {} : { nodePreference }),
  };
};

const KNOWN: ReadonlySet<string> = new Set(
  [...NUMBERS, ...FILES, 'tls', 'nodePreference'].map((key) => key.toLowerCase()),
);

/**
 * Parses EVENT_LOG_URL. The client's own parser prints the whole URL in its errors, including the password.
 * @throws {OperatorError} that names the problem without repeating a secret.
 */
export const parseConnectionString = (url: string): ConnectionString => {
  const match = SHAPE.exec(url.trim());
  if (match === null) return refuse('is not a connection string of EventStoreDB or KurrentDB');
  const [, discover, userinfo, hosts, query] = match;
  const params = new Map<string, string>();
  for (const pair of (query ?? '').split('&').filter((part) => part !== '')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (!KNOWN.has(key.toLowerCase())) return refuse(`has an unknown option: ${key.slice(0, 40)}`);
    params.set(key.toLowerCase(), decoded(pair.slice(equals + 1), `a ${key}`));
  }
  const endpoints = (hosts as string).split(',').map(hostOf);
  if (discover !== undefined && endpoints.length > 1) {
    return refuse('names several hosts after +discover://, which accepts one');
  }
  return {
    hosts: endpoints,
    discover: discover !== undefined,
    channel: channelOf(params),
    credentials: credentialsOf(userinfo),
    options: optionsOf(params),
  };
};

const PROBE_MS = 2_000;

/** Codes of OpenSSL and Node for a certificate that is not accepted. Unreachable nodes have other codes. */
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
      // A node that speaks only HTTP/2 refuses clients that don't.
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
 * Why the certificate of one of the hosts is not accepted; null if all are accepted. The client's discovery drops the error of each
 * node and reports only the number of its attempts.
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

/** Internal members of the client. Its types hide them, and its own calls are built on them. */
interface Inside {
  GRPCStreamCreator<S>(service: unknown, name: string, create: (stub: Stub) => S): () => Promise<S>;
  callArguments(options: { requiresLeader: boolean }, call: Options): [unknown, unknown];
  handleError(client: unknown, error: Error): Promise<void>;
  getChannel(): Promise<Channel>;
}

/**
 * A connection to EventStoreDB. The client finds nodes, reconnects and follows the leader. Requests are built here from its
 * generated messages, for two reasons: the client's stream reads have no filter, and the appends of all its connections share one
 * table of pending calls, which a failure of one connection clears for all.
 */
export interface Connection {
  read(request: ReadReq): Promise<ResponseStream>;
  batchAppend(): Promise<AppendStream>;
  close(): Promise<void>;
}

/** Keep-alive ends long-lived calls if the node is dead or frozen. They have no deadline. */
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

/** The connection is lazy: the first call connects. */
export const connect = (address: ConnectionString, logger: Logger): Connection => {
  allowTlsByAddress();
  const client = clientOf(address);
  const inside = client as unknown as Inside;
  // Only the leader is sure to have everything that it acknowledged. A preference for other nodes accepts their lag.
  const requiresLeader = (address.options.nodePreference ?? 'leader') === 'leader';
  let used = false;
  const discovered = (): Promise<Channel> =>
    inside.getChannel().catch(async (error: Error) => {
      const refused = await certificateError(address);
      if (refused === null) throw error;
      throw Object.assign(new UnavailableError(), { message: `${error.message} ${refused.message}` });
    });
  /**
   * A frozen node accepts connections and then stays silent. Neither keep-alive, which starts later, nor deadlines, which
   * long-lived calls lack, detect that.
   */
  const connected = async (): Promise<void> => {
    const channel = await discovered();
    // gRPC takes a deadline as a time of day.
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
  // The client drops this promise. If no node of a cluster is found, its rejection would end the process.
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
