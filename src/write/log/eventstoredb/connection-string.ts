import { existsSync, readFileSync } from 'node:fs';
import type { ChannelCredentialOptions, Credentials, EndPoint } from '@eventstore/db-client';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';

/** A parsed EVENT_LOG_URL. It may contain a password and must not be logged. */
export interface ConnectionString {
  readonly hosts: readonly EndPoint[];
  /** Whether the one host is a DNS name of all nodes of a cluster. */
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

/** A frozen node is detected after the sum of both; the client's defaults add up to 20 s. */
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

// Hosts begin after the last @ before the first / or ?: a password may contain @.
// KurrentDB is the present name of EventStoreDB; its servers and clients accept both schemes.
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
 * Parses EVENT_LOG_URL. The client's own parser prints the whole URL, password included, in its errors.
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
