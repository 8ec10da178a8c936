/** Settings: the parsers of their values, the table of all settings, and how they are parsed from the environment and displayed. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import cron from 'node-cron';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { parseNetwork } from './cidr.ts';
import { errorMessage, OperatorError } from './errors.ts';
import { type Platform, platformSchema } from './platform.ts';

/** Parses `loopback` and networks into canonical form; null if a part is neither of these. */
export const proxiesOf = (text: string): readonly string[] | null => {
  const parts = text.split(',').map((part) => part.trim());
  const proxies = parts.map((part) => (part === 'loopback' ? part : parseNetwork(part)));
  return proxies.some((proxy) => proxy === null) ? null : (proxies as readonly string[]);
};

/** Parses browser origins, or `*` for any; null if a part is not an origin. */
export const originsOf = (text: string): readonly string[] | null => {
  const origins = text.split(',').map((part) => part.trim());
  const isOrigin = (part: string) =>
    URL.canParse(part) && /^https?:$/.test(new URL(part).protocol) && new URL(part).origin === part;
  return origins.every((part) => part === '*' || isOrigin(part)) ? origins : null;
};

const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9][a-z0-9-]{0,62})*\.[a-z][a-z0-9-]{1,62}$/;

/** Parses host names; null if a part is not a host name. */
export const hostsOf = (text: string): readonly string[] | null => {
  const hosts = text.split(',').map((part) => part.trim().toLowerCase());
  return hosts.every((host) => HOST.test(host)) ? hosts : null;
};

/** An account with a known status. */
export interface KnownAccount {
  readonly platform: Platform;
  readonly status: 'present' | 'private' | 'suspended';
  readonly handle: string;
}

/** Parses `platform:status:handle` parts; null if one is malformed. */
export const probesOf = (text: string): readonly KnownAccount[] | null => {
  const parts = text.split(',').map((part): KnownAccount | null => {
    const [, name = '', status = '', handle = ''] =
      /^([a-z]+):(present|private|suspended):(\S{1,253})$/.exec(part.trim()) ?? [];
    const platform = platformSchema.safeParse(name);
    return platform.success && handle !== ''
      ? { platform: platform.data, status: status as KnownAccount['status'], handle }
      : null;
  });
  return parts.some((part) => part === null) ? null : (parts as readonly KnownAccount[]);
};

/** Parses `operation=query-id` and `operation=query-id/name` parts; null if one is malformed. */
export const operationsOf = (text: string): Readonly<Record<string, string>> | null => {
  const operations: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, operation, id, name = operation] =
      /^(\w{1,60})=([\w-]{1,60})(?:\/(\w{1,60}))?$/.exec(part.trim()) ?? [];
    if (operation === undefined || id === undefined) return null;
    operations[operation] = `${id}/${name}`;
  }
  return operations;
};

/** Parses names of platforms; null if one is unknown. */
export const platformsOf = (text: string): readonly Platform[] | null => {
  const parsed = text.split(',').map((part) => platformSchema.safeParse(part.trim()));
  return parsed.every(({ success }) => success) ? parsed.map(({ data }) => data as Platform) : null;
};

/** Parses 32-byte secrets in base64, separated by commas; null if a part is anything else. */
export const sealingKeysOf = (text: string): readonly string[] | null => {
  const keys = text.split(',').map((part) => part.trim());
  const isKey = (key: string): boolean => {
    const bytes = Buffer.from(key, 'base64');
    return bytes.length === 32 && bytes.toString('base64') === key;
  };
  return keys.every(isKey) ? keys : null;
};

/** A placeholder; operators set their own. */
export const DEFAULT_CONTACT = 'https://example.org/sightline-operator';

const whole = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

/** Whether only programs of this machine reach a host. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);

export const PRIVATE_ADDRESS = 'a URL that starts with https://, or with http:// and a loopback address';

/** Whether nobody on the way reads what an address is sent. */
export const isPrivateAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

const days = (about: string) => z.coerce.number().int().min(1).max(36_500).optional().describe(about);

/** Text that a parser accepts. Other text is refused with a description of what is expected. */
const parsedBy = <Value>(parse: (text: string) => Value | null, expected: string) =>
  z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });

const address = (protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });

/** Every setting, read from the environment. `sightline config` prints `describe` and the default of the schema. */
export const settings = {
  SIGHTLINE_HOME: z
    .string()
    .min(1)
    .default('.sightline')
    .describe('Folder for all data, such as the embedded Postgres and the demo key.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Listen address of the API.'),
  PORT: whole(0, 65535, 8080).describe('Port of the API; 0 picks a free one.'),
  OPERATIONS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Listen address of metrics and health details.'),
  OPERATIONS_PORT: whole(0, 65535, 0).describe(
    'Port of metrics and health details; 0 picks a free one, printed at start-up.',
  ),
  CONSOLE_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Listen address of the console; any but a loopback address requires CONSOLE_ORIGIN.'),
  CONSOLE_PORT: whole(0, 65535, 8090).describe(
    'Port of the console; 0 picks a free one, printed at start-up.',
  ),
  CONSOLE_ORIGIN: address(['https:', 'http:'])
    .transform((text) => new URL(text).origin)
    .optional()
    .describe('Origin by which browsers reach the console, such as https://console.example.org.'),
  CONSOLE_OIDC_ISSUER: z
    .string()
    .refine((text) => isPrivateAddress(text), { error: PRIVATE_ADDRESS })
    .optional()
    .describe(
      'OpenID Connect provider through which operators log in whose names are their e-mail addresses; needs CONSOLE_ORIGIN (docs/operating.md).',
    ),
  CONSOLE_OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client ID of the console at the provider.'),
  CONSOLE_OIDC_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Client secret of the console at the provider.'),
  OPERATIONS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, '16 to 200 characters without spaces')
    .optional()
    .describe(
      'Bearer token for metrics and health details on PORT; if set, OPERATIONS_PORT requires it too.',
    ),
  CONNECTIONS_PER_ADDRESS: whole(1, 100_000, 1_024).describe(
    'Maximum concurrent connections per client address; TRUSTED_PROXIES are exempt.',
  ),
  DATABASE_URL: address(['postgres:', 'postgresql:'])
    .optional()
    .describe(
      'URL of an existing Postgres (16 or newer) with pg_trgm; if unset, the embedded Postgres is started.',
    ),
  DATABASE_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .describe('Password of DATABASE_URL and READ_DATABASE_URL, for those of them that have none.'),
  DATABASE_POOL: whole(4, 200, 10).describe(
    'Connections per pool. A process has up to four pools, plus six connections for metering and one per projection. `sightline start` runs the API as a separate process.',
  ),
  EVENT_LOG_URL: z
    .string()
    .regex(
      /^(?:kurrentdb|esdb)(\+discover)?:\/\/\S+$/,
      'a URL that starts with esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://',
    )
    .optional()
    .describe(
      'URL of the EventStoreDB (22.6 or newer) or KurrentDB that stores the event log; if unset, Postgres stores it (docs/scaling-out.md).',
    ),
  LOG_ARCHIVE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where `sightline events archive` puts what old events say: a folder, or s3://bucket/prefix, with credentials and region in the variables of AWS.',
    ),
  LOG_ARCHIVE_ENDPOINT: address(['http:', 'https:'])
    .optional()
    .describe('URL of a store that is compatible with S3; Amazon’s if unset.'),
  READ_DATABASE_URL: address(['postgres:', 'postgresql:'])
    .optional()
    .describe(
      'Replica of DATABASE_URL for directory reads of the API; keys, plans and charges use DATABASE_URL.',
    ),
  READ_FALLBACK: z.stringbool().default(false).describe('Read from DATABASE_URL while the replica is down.'),
  KAFKA_BROKERS: z
    .string()
    .regex(
      /^[^\s,:/]+:\d{1,5}(,[^\s,:/]+:\d{1,5})*$/,
      'comma-separated host:port, as kafka1:9092,kafka2:9092',
    )
    .transform((text) => text.split(','))
    .optional()
    .describe('Kafka brokers to publish events to. If unset, projections read the event log directly.'),
  KAFKA_TLS: z.stringbool().default(false).describe('Connect to the brokers with TLS.'),
  KAFKA_SASL: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .optional()
    .describe('SASL mechanism of the brokers; requires KAFKA_USERNAME and KAFKA_PASSWORD.'),
  KAFKA_USERNAME: z.string().min(1).optional().describe('SASL user name.'),
  KAFKA_PASSWORD: z.string().min(1).optional().describe('SASL password.'),
  KAFKA_REPLICATION: whole(1, 9, 3).describe(
    'Replication factor of created topics; at most the number of brokers.',
  ),
  KAFKA_RETENTION_H: whole(1, 168, 168).describe('Retention of created topics, in hours.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Minimum level of log lines.'),
  LOG_FORMAT: z
    .enum(['auto', 'pretty', 'json'])
    .default('auto')
    .describe('auto: pretty on a terminal, JSON lines otherwise.'),
  CRAWL_MODE: z
    .enum(['live', 'record', 'replay'])
    .default('live')
    .describe(
      'live: read the platforms; record: also record their responses; replay: play recordings back, without network.',
    ),
  RECORDINGS_DIR: z.string().min(1).default('.sightline/recordings').describe('Folder of recordings.'),
  SIMULATOR_URL: address(['http:'])
    .optional()
    .describe('URL of a running simulator that replaces all platforms.'),
  CRAWLER_CONTACT: z
    .string()
    .regex(/^[\x21-\x7e]{3,200}$/, 'a URL or mail address without spaces')
    .default(DEFAULT_CONTACT)
    .describe('Contact in the user agent, so that platforms can reach you. Set it before crawling.'),
  CRAWL_CONCURRENCY: whole(1, 1000, 8).describe('Maximum concurrent requests per host.'),
  CRAWL_RATE_PER_S: z.coerce
    .number()
    .min(0.01)
    .max(10_000)
    .default(4)
    .describe('Requests per second and platform, over all processes, crawl and live reads together.'),
  LIVE_SHARE: z.coerce
    .number()
    .min(0.01)
    .max(1)
    .default(0.5)
    .describe('Share of CRAWL_RATE_PER_S that live reads may use; the crawl gets the rest.'),
  LIVE_CONCURRENCY: whole(1, 1_000, 8).describe(
    'Maximum concurrent live reads per holder, platform and process; further ones wait.',
  ),
  CRAWL_LEASE_S: whole(5, 3600, 120).describe(
    'Seconds after which the leased accounts of a dead worker are released.',
  ),
  CRAWL_RETRY_S: z.coerce
    .number()
    .min(0.1)
    .max(3600)
    .default(30)
    .describe(
      'Seconds until an inconclusive reading is retried; doubles with each further inconclusive reading.',
    ),
  CRAWL_PROBE_CRON: z
    .string()
    .refine((text) => cron.validate(text), { error: 'a cron expression, as */10 * * * *' })
    .default('*/10 * * * *')
    .describe('Schedule of self-probes: engines read accounts with a known status to check their verdicts.'),
  CRAWL_REPORT_CRON: z
    .string()
    .refine((text) => cron.validate(text), { error: 'a cron expression, as 0 * * * * *' })
    .default('0 * * * * *')
    .describe('Schedule of engine reports; the first field is seconds.'),
  RESEARCH_CRON: z
    .string()
    .refine((text) => cron.validate(text), { error: 'a cron expression, as 17 * * * *' })
    .default('17 * * * *')
    .describe('Schedule of research: runs evaluate pools, record findings and change shares.'),
  LADDERS_CRON: z
    .string()
    .refine((text) => cron.validate(text), { error: 'a cron expression, as 41 */6 * * *' })
    .default('41 */6 * * *')
    .describe('Schedule of ladders: the percentiles and patterns of the population of each platform.'),
  CRAWL_PROBES: parsedBy(
    probesOf,
    'comma-separated platform:status:handle, as x:private:someone,instagram:suspended:another',
  )
    .optional()
    .describe('Accounts known to be present, private or suspended, used for self-probes.'),
  CRAWL_POSTS: z.stringbool().default(true).describe('Read posts even if this takes an extra request.'),
  CRAWL_POSTS_PAGES: whole(1, 50, 1).describe(
    'Maximum pages of posts per reading; each page is a request. Paging ends at posts older than 30 days.',
  ),
  FOLLOWS_MOST: whole(1, 10_000_000, 50_000).describe(
    'Maximum members to read per follower list; longer lists are recorded as capped.',
  ),
  FOLLOWS_REQUESTS_PER_DAY: whole(0, 10_000_000, 1_000).describe(
    'Requests for follower lists per day (UTC), over all processes; 0 reads none.',
  ),
  X_BEARER_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('Bearer token of an X session, for the GraphQL surface.'),
  X_GUEST_TOKEN: z.string().min(1).optional().describe('Guest token of that session.'),
  X_OPERATIONS: parsedBy(
    operationsOf,
    'comma-separated operation=query-id or operation=query-id/name, as UserTweets=E3opETHurmVJflFsUBVuUQ',
  )
    .optional()
    .describe("Query IDs of X's GraphQL operations, and the new names of renamed operations."),
  SESSIONS_KEY: parsedBy((text) => {
    const [first, ...others] = sealingKeysOf(text) ?? [];
    return first === undefined ? null : ([first, ...others] as const);
  }, 'base64 of 32 random bytes, as `openssl rand -base64 32` prints')
    .optional()
    .describe(
      'Key that encrypts stored sessions. To replace it, put the new key first and the old ones after it, separated by commas.',
    ),
  ERASURE_KEY: parsedBy((text) => {
    const [first, ...others] = sealingKeysOf(text) ?? [];
    return first === undefined ? null : ([first, ...others] as const);
  }, 'base64 of 32 random bytes, as `openssl rand -base64 32` prints')
    .optional()
    .describe(
      'Key that seals which accounts were erased (docs/privacy.md). Keep a copy apart from the database: without it nothing starts. To replace it, put the new key first.',
    ),
  ERASURE_MIRROR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File, apart from the database, that holds a copy of the ledger of erasures. A database that lacks any of them does not start.',
    ),
  PRIVACY_PAGE: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether people may hide, erase and export their own accounts at /privacy; only with ERASURE_KEY (docs/privacy.md).',
    ),
  ACCESS_LOG: z
    .stringbool()
    .default(false)
    .describe('Keep for 90 days who asked the API for which account, for those whose accounts they are.'),
  PRIVACY_DELAY: whole(0, 30, 7).describe(
    'Days after which an account that its owner hid at /privacy is erased, or can be exported.',
  ),
  RETENTION_ABSENT: whole(0, 36_500, 180).describe(
    'Days after which an account that its platform was proven not to have any more is forgotten, until it returns; 0 keeps it (docs/privacy.md).',
  ),
  RETENTION_POSTS: days('Days that posts are kept after they were read; if unset, they are kept.'),
  RETENTION_EDGES: days('Days that follower lists are kept after they were read; if unset, they are kept.'),
  RETENTION_HISTORY: days(
    'Days that former values of profiles are kept after they were read; if unset, they are kept.',
  ),
  PROXIES_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('JSON or YAML file of proxies by platform (docs/platforms.md).'),
  BROWSER_EXECUTABLE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of Chromium, for pages that show nothing without a browser; if unset, no page is rendered (docs/platforms.md).',
    ),
  BROWSER_PLATFORMS: parsedBy(platformsOf, 'comma-separated platforms, as instagram,tiktok')
    .optional()
    .describe('Platforms whose pages are rendered; if unset, all.'),
  BROWSER_PAGES: whole(1, 32, 1).describe(
    'Maximum pages that a process renders at once. Each runs in its own browser, which may use up to 600 MiB.',
  ),
  PLAN_SET: z.enum(['A', 'B']).default('A').describe('Published set of plans to use.'),
  PLANS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('JSON or YAML file of custom plans, which replace the published ones.'),
  AUDIT_LABELS: z
    .string()
    .min(1)
    .optional()
    .describe(
      'NDJSON file of labelled followers, used to fit and calibrate the follower audit (docs/crawling.md).',
    ),
  TRUSTED_PROXIES: parsedBy(
    proxiesOf,
    'comma-separated addresses, networks (CIDR) or loopback, as loopback,10.0.0.0/8',
  )
    .optional()
    .describe('Proxies whose X-Forwarded-For is trusted; if unset, none.'),
  CORS_ORIGINS: parsedBy(
    originsOf,
    'comma-separated origins, as https://app.example,http://localhost:3000, or * for any',
  )
    .optional()
    .describe(
      'Origins whose pages may call the API from a browser; every call still needs a key. If unset, none.',
    ),
  MARKETPLACE_URL: address(['https:'])
    .optional()
    .describe(
      'URL of a marketplace feed to crawl, such as https://market.example/api/v1/listings; if unset, no feed is crawled (docs/crawling.md).',
    ),
  MARKETPLACE_HOSTS: parsedBy(hostsOf, 'comma-separated host names, as market.example,dumps.market.example')
    .optional()
    .describe('Hosts from which listings may be imported, in addition to the host of MARKETPLACE_URL.'),
  MARKETPLACE_POLL_S: whole(5, 86_400, 300).describe(
    'Seconds between two readings of the new records of the feed.',
  ),
  MARKETPLACE_SWEEP_H: z.coerce
    .number()
    .min(0.01)
    .max(720)
    .default(24)
    .describe('Hours between two readings of the whole feed; these find listings that have left it.'),
  MARKETPLACE_MAX_PAGES: whole(1, 100_000, 10_000).describe(
    'Maximum pages per reading of the feed. A longer reading is stopped, raises an alarm and withdraws nothing.',
  ),
  MARKETPLACE_MAX_LISTINGS: whole(1, 100_000_000, 2_000_000).describe(
    'Maximum listings per reading of the feed. A larger reading is stopped, raises an alarm and withdraws nothing.',
  ),
  MARKETPLACE_PAGE_MB: whole(1, 64, 16).describe('Maximum size of a page of the feed, in MiB.'),
} as const;

export const configSchema = z.object(settings);

export type Config = z.infer<typeof configSchema>;
export type ConfigKey = keyof typeof settings;

/** Settings whose values are never printed. */
export const SECRET_KEYS: ReadonlySet<ConfigKey> = new Set([
  'DATABASE_PASSWORD',
  'DATABASE_URL',
  'EVENT_LOG_URL',
  'READ_DATABASE_URL',
  'KAFKA_PASSWORD',
  'OPERATIONS_TOKEN',
  'CONSOLE_OIDC_CLIENT_SECRET',
  'SESSIONS_KEY',
  'ERASURE_KEY',
  'X_BEARER_TOKEN',
  'X_GUEST_TOKEN',
]);

type Environment = Readonly<Record<string, string | undefined>>;

const isSetting = (name: string): boolean =>
  name in settings || (name.endsWith('_FILE') && SECRET_KEYS.has(name.slice(0, -5) as ConfigKey));

/** The setting that a name is a slip of the pen for: one letter in a short name, two in a longer one. */
const meantBy = (name: string): string | null => {
  if (isSetting(name) || name.length < 5) return null;
  const near = closest(name.toUpperCase(), Object.keys(settings));
  const most = name.length < 9 ? 1 : 2;
  return distance(name.toUpperCase(), near) <= most ? near : null;
};

/** Names the file of settings; `sightline.yaml` in the working directory is read without it. */
const FILE_VARIABLE = 'SIGHTLINE_CONFIG';
const DEFAULT_FILE = 'sightline.yaml';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const fileSchema = z.record(
  z.string(),
  z.union([
    scalar,
    z.array(scalar).transform((parts) => parts.join(',')),
    z.null().transform(() => undefined),
  ]),
);

/** The settings of the file. Lists become what the environment has: parts with commas. @throws {OperatorError} */
const readFileSettings = (env: Environment): Environment => {
  const named = env[FILE_VARIABLE] === '' ? undefined : env[FILE_VARIABLE];
  const path = resolve(named ?? DEFAULT_FILE);
  if (named === undefined && !existsSync(path)) return {};
  let given: unknown;
  try {
    // Loaded at once, and only where there is a file.
    const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
    given = parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    throw new OperatorError('setting_invalid', `${path} can't be read: ${errorMessage(error)}`);
  }
  const result = fileSchema.safeParse(given);
  if (!result.success) {
    const at = result.error.issues[0]?.path.join('.') ?? '';
    throw new OperatorError(
      'setting_invalid',
      `${path} has a line per setting, as PORT: 9000${at === '' ? '' : `; ${at} is none`}.`,
    );
  }
  const wrong = Object.keys(result.data).filter((name) => !isSetting(name));
  if (wrong.length > 0) {
    const lines = wrong.map((name) => `${path}: ${unknown(name)}`);
    throw new OperatorError('setting_invalid', lines.join('\n'));
  }
  return result.data;
};

const unknown = (name: string): string => {
  const meant = closest(name.toUpperCase(), Object.keys(settings));
  return `${name} is no setting. Did you mean ${meant}?`;
};

/**
 * The settings that are given, from the environment and the file; the environment wins.
 * @throws {OperatorError} if the file can't be used, or a name is misspelt.
 */
const givenSettings = (env: Environment): { readonly env: Environment; readonly file: Environment } => {
  const wrong = Object.keys(env).filter((name) => env[name] !== '' && meantBy(name) !== null);
  if (wrong.length > 0) throw new OperatorError('setting_invalid', wrong.map(unknown).join('\n'));
  return { env, file: readFileSettings(env) };
};

/** The value of a setting. That of a secret may be in a file: `DATABASE_URL_FILE` names the one of `DATABASE_URL`. */
const givenValue = (env: Environment, key: ConfigKey): string | undefined => {
  // Shells and compose files pass unset variables as empty strings.
  const value = env[key] === '' ? undefined : env[key];
  const file = SECRET_KEYS.has(key) ? env[`${key}_FILE`] : undefined;
  if (file === undefined || file === '') return value;
  if (value !== undefined) throw new OperatorError('setting_invalid', `${key} and ${key}_FILE are both set.`);
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new OperatorError('setting_invalid', `${key}_FILE is "${file}": ${errorMessage(error)}`);
  }
};

/** A URL with a password, if it has none. */
const withPassword = (url: string | undefined, password: string | undefined): string | undefined => {
  if (url === undefined || password === undefined) return url;
  const parsed = new URL(url);
  if (parsed.password !== '') return url;
  parsed.password = encodeURIComponent(password);
  if (parsed.password === '')
    throw new OperatorError(
      'setting_invalid',
      'DATABASE_PASSWORD needs an address with a host. Write the password into the address, as ?password=…',
    );
  return parsed.href;
};

/** Where a setting comes from. */
export type Origin = 'environment' | 'file' | 'default';

/** The origin of every setting. @throws {OperatorError} */
export const originsOfSettings = (env: Environment): Readonly<Record<ConfigKey, Origin>> => {
  const given = givenSettings(env);
  const originOf = (key: ConfigKey): Origin => {
    if (givenValue(given.env, key) !== undefined) return 'environment';
    return givenValue(given.file, key) === undefined ? 'default' : 'file';
  };
  return Object.fromEntries(
    (Object.keys(settings) as ConfigKey[]).map((key) => [key, originOf(key)]),
  ) as Record<ConfigKey, Origin>;
};

/** Settings of retention that need the log in Postgres. */
const RETENTIONS = ['RETENTION_POSTS', 'RETENTION_EDGES', 'RETENTION_HISTORY'] as const;

const checkRetention = (config: Config): void => {
  const [asked] = RETENTIONS.filter((key) => config[key] !== undefined);
  if (config.EVENT_LOG_URL === undefined || asked === undefined) return;
  throw new OperatorError(
    'setting_invalid',
    `${asked} needs the log in Postgres: unset it, or EVENT_LOG_URL. Nothing can be removed from the middle of a stream of EventStoreDB.`,
  );
};

/**
 * Parses the settings of an environment and of the file that it names.
 * @throws {OperatorError} with a line for each invalid setting: its key, its value and what is allowed.
 */
export const parseConfig = (environment: Environment): Config => {
  const given = givenSettings(environment);
  const present = Object.fromEntries(
    (Object.keys(settings) as ConfigKey[]).flatMap((key) => {
      const value = givenValue(given.env, key) ?? givenValue(given.file, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const result = configSchema.safeParse(present);
  if (result.success) {
    checkRetention(result.data);
    return {
      ...result.data,
      DATABASE_URL: withPassword(result.data.DATABASE_URL, result.data.DATABASE_PASSWORD),
      READ_DATABASE_URL: withPassword(result.data.READ_DATABASE_URL, result.data.DATABASE_PASSWORD),
      SIGHTLINE_HOME: resolve(result.data.SIGHTLINE_HOME),
      RECORDINGS_DIR: resolve(result.data.RECORDINGS_DIR),
      AUDIT_LABELS: result.data.AUDIT_LABELS === undefined ? undefined : resolve(result.data.AUDIT_LABELS),
      PLANS_FILE: result.data.PLANS_FILE === undefined ? undefined : resolve(result.data.PLANS_FILE),
    };
  }
  const rows = describeConfig();
  const lines = result.error.issues.map((issue) => {
    const key = String(issue.path[0]) as ConfigKey;
    const value = SECRET_KEYS.has(key)
      ? 'set to a secret value'
      : `"${withoutSecrets(String(present[key]))}"`;
    const row = rows.find((r) => r.key === key);
    const allowed = row?.allowed === 'text' ? issue.message : `${row?.allowed}`;
    return `${key} is ${value}; allowed: ${allowed}`;
  });
  throw new OperatorError('setting_invalid', lines.join('\n'));
};

/** One row per setting, for display. */
export const describeConfig = (): readonly {
  key: ConfigKey;
  allowed: string;
  fallback: string;
  about: string;
}[] =>
  (Object.keys(settings) as ConfigKey[]).map((key) => {
    const json = z.toJSONSchema(settings[key], { io: 'input', unrepresentable: 'any' }) as Record<
      string,
      unknown
    >;
    const fallback = settings[key].safeParse(undefined).data;
    return {
      key,
      allowed: allowedOf(json, settings[key]),
      fallback: fallback === undefined ? '' : String(fallback),
      about: settings[key].description ?? '',
    };
  });

/** A value for display. Addresses lose their credentials and their query, which may hold a token. */
export const withoutSecrets = (value: string): string => {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : null;
  if (url === null) return value;
  const hides = url.username + url.password + url.search + url.hash !== '';
  return hides ? `${url.protocol}//${url.host}${url.pathname} (credentials and query not shown)` : value;
};

/** The value of a setting for display; empty if it is unset. */
export const shownValue = (config: Config, key: ConfigKey): string => {
  const value = config[key];
  if (value === undefined) return '';
  return SECRET_KEYS.has(key) ? '(set, not shown)' : withoutSecrets(String(value));
};

const allowedOf = (json: Record<string, unknown>, type: z.ZodType): string => {
  if (Array.isArray(json.enum)) return json.enum.join(' | ');
  // Coerced numbers: only the output schema has the bounds.
  const out = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' }) as Record<string, unknown>;
  if (out.type === 'integer' || out.type === 'number') {
    return `${out.type === 'integer' ? 'whole number' : 'number'} from ${out.minimum} to ${out.maximum}`;
  }
  return out.type === 'boolean' ? 'true | false' : 'text';
};

/** The user agent of all crawling, with the operator's contact. */
export const userAgentOf = ({ CRAWLER_CONTACT }: Pick<Config, 'CRAWLER_CONTACT'>): string =>
  `Sightline/${manifest.version} (+${CRAWLER_CONTACT})`;
