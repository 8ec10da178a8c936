import { resolve } from 'node:path';
import cron from 'node-cron';
import { z } from 'zod';
import { parseNetwork } from '../cidr.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { type Platform, platformSchema } from '../platform.ts';

/** Stands for nobody; an operator sets another. */
export const DEFAULT_CONTACT = 'https://example.org/sightline-operator';

const whole = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const address = (protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });

/** `loopback` and networks in their normal form; null where a part is neither. */
const proxiesOf = (text: string): readonly string[] | null => {
  const parts = text.split(',').map((part) => part.trim());
  const proxies = parts.map((part) => (part === 'loopback' ? part : parseNetwork(part)));
  return proxies.some((proxy) => proxy === null) ? null : (proxies as readonly string[]);
};

/** An account and what is known of it. */
export interface KnownAccount {
  readonly platform: Platform;
  readonly status: 'present' | 'private' | 'suspended';
  readonly handle: string;
}

/** Null where a part is not of the form. */
const probesOf = (text: string): readonly KnownAccount[] | null => {
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

/**
 * Every setting, from the environment. `describe` is what `sightline config` prints; the default is the schema's.
 */
const settings = {
  SIGHTLINE_HOME: z
    .string()
    .min(1)
    .default('.sightline')
    .describe('Folder of everything Sightline keeps: the embedded Postgres, the demo key.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address that the API listens on.'),
  PORT: whole(0, 65535, 8080).describe('Port that the API listens on; 0 takes a free one.'),
  OPERATIONS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that metrics and the details of health are served on.'),
  OPERATIONS_PORT: whole(0, 65535, 0).describe(
    'Port that metrics and the details of health are served on; 0 takes a free one, which the start names.',
  ),
  OPERATIONS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, '16 to 200 characters without spaces')
    .optional()
    .describe(
      'Bearer token that shows them on PORT too; where it is set, OPERATIONS_PORT asks for it as well.',
    ),
  CONNECTIONS_PER_ADDRESS: whole(1, 100_000, 1_024).describe(
    'Connections at once from one address; those of TRUSTED_PROXIES are not counted.',
  ),
  DATABASE_URL: address(['postgres:', 'postgresql:'])
    .optional()
    .describe('An existing Postgres (16 or newer) with pg_trgm; unset starts the embedded one.'),
  DATABASE_POOL: whole(4, 200, 10).describe(
    'Connections of each of the pools that one process holds (four, besides six of the metering and one a projection).',
  ),
  EVENT_LOG_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/\S+$/, 'an address that starts with esdb:// or esdb+discover://')
    .optional()
    .describe(
      'An EventStoreDB (22.6 or newer) that holds the event log; unset keeps it in Postgres. docs/operations/eventstoredb.md',
    ),
  READ_DATABASE_URL: address(['postgres:', 'postgresql:'])
    .optional()
    .describe(
      'A replica of DATABASE_URL that the API reads from; keys, plans and charges stay with DATABASE_URL.',
    ),
  KAFKA_BROKERS: z
    .string()
    .regex(
      /^[^\s,:/]+:\d{1,5}(,[^\s,:/]+:\d{1,5})*$/,
      'host:port, with commas between, as kafka1:9092,kafka2:9092',
    )
    .transform((text) => text.split(','))
    .optional()
    .describe(
      'Brokers that the event log is handed out through; unset lets projections follow the log itself.',
    ),
  KAFKA_TLS: z.stringbool().default(false).describe('Whether the brokers are spoken to over TLS.'),
  KAFKA_SASL: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .optional()
    .describe('How to log in to the brokers; needs KAFKA_USERNAME and KAFKA_PASSWORD.'),
  KAFKA_USERNAME: z.string().min(1).optional().describe('Name to log in to the brokers with.'),
  KAFKA_PASSWORD: z.string().min(1).optional().describe('Password that goes with it.'),
  KAFKA_REPLICATION: whole(1, 9, 3).describe(
    'Copies of each message, for topics that are made; no more than there are brokers named.',
  ),
  KAFKA_RETENTION_H: whole(1, 168, 168).describe(
    'Hours that the brokers keep messages, for topics that are made.',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('How much is logged.'),
  LOG_FORMAT: z
    .enum(['auto', 'pretty', 'json'])
    .default('auto')
    .describe('auto is pretty on a terminal and JSON lines otherwise.'),
  CRAWL_MODE: z
    .enum(['live', 'record', 'replay'])
    .default('live')
    .describe(
      'live reads the platforms; record also keeps what they answered; replay reads only what was kept.',
    ),
  RECORDINGS_DIR: z.string().min(1).default('.sightline/recordings').describe('Where recordings are kept.'),
  SIMULATOR_URL: address(['http:'])
    .optional()
    .describe('Address of a running simulator that stands in for all platforms.'),
  CRAWLER_CONTACT: z
    .string()
    .regex(/^[\x21-\x7e]{3,200}$/, 'a web or mail address without spaces')
    .default(DEFAULT_CONTACT)
    .describe(
      'Contact that the user agent names, so that a platform can reach you. Set it before you crawl.',
    ),
  CRAWL_CONCURRENCY: whole(1, 1000, 8).describe('Requests at once to one host.'),
  CRAWL_RATE_PER_S: z.coerce
    .number()
    .min(0.01)
    .max(10_000)
    .default(2)
    .describe('Requests a second to one platform, all processes together.'),
  CRAWL_LEASE_S: whole(5, 3600, 120).describe(
    'Seconds after which the accounts of a dead worker are taken up again.',
  ),
  CRAWL_RETRY_S: z.coerce
    .number()
    .min(0.1)
    .max(3600)
    .default(30)
    .describe(
      'Seconds until an account whose reading proved nothing is tried again; doubles with each in a row.',
    ),
  CRAWL_PROBE_CRON: z
    .string()
    .refine((text) => cron.validate(text), { error: 'a cron expression, as */10 * * * *' })
    .default('*/10 * * * *')
    .describe('When engines read names known to exist and not to, to see whether they still can.'),
  CRAWL_PROBES: z
    .string()
    .transform((text, context) => {
      const probes = probesOf(text);
      if (probes !== null) return probes;
      context.addIssue({
        code: 'custom',
        message:
          'platform:status:handle, with commas between, as x:private:somebody,instagram:suspended:another',
      });
      return z.NEVER;
    })
    .optional()
    .describe(
      'Accounts that you know to be present, private or suspended; engines read them to see whether their verdicts hold.',
    ),
  CRAWL_POSTS: z
    .stringbool()
    .default(true)
    .describe('Whether a crawl also reads posts, where that costs a request.'),
  X_BEARER_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('Bearer token of an X session for its GraphQL surface.'),
  X_GUEST_TOKEN: z.string().min(1).optional().describe('Guest token that goes with it.'),
  PLAN_SET: z.enum(['A', 'B']).default('A').describe('Which of the two published sets of plans is in force.'),
  PLANS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('A file (JSON or YAML) of plans of your own, which replace the published ones.'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text, context) => {
      const proxies = proxiesOf(text);
      if (proxies !== null) return proxies;
      context.addIssue({
        code: 'custom',
        message: 'addresses, networks (CIDR) or loopback, with commas between, as loopback,10.0.0.0/8',
      });
      return z.NEVER;
    })
    .optional()
    .describe("Whose X-Forwarded-For is believed; nobody's where unset."),
} as const;

const schema = z.object(settings);

export type Config = z.infer<typeof schema>;
export type ConfigKey = keyof typeof settings;

/** Settings whose value is never printed. */
export const SECRET_KEYS: ReadonlySet<ConfigKey> = new Set([
  'DATABASE_URL',
  'EVENT_LOG_URL',
  'READ_DATABASE_URL',
  'KAFKA_PASSWORD',
  'OPERATIONS_TOKEN',
  'X_BEARER_TOKEN',
  'X_GUEST_TOKEN',
]);

/** One row a setting, for people. */
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

const allowedOf = (json: Record<string, unknown>, type: z.ZodType): string => {
  if (Array.isArray(json.enum)) return json.enum.join(' | ');
  // Numbers come through coercion, whose input schema says nothing: the output's has the bounds.
  const out = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' }) as Record<string, unknown>;
  if (out.type === 'integer' || out.type === 'number') {
    return `${out.type === 'integer' ? 'whole number' : 'number'} from ${out.minimum} to ${out.maximum}`;
  }
  return out.type === 'boolean' ? 'true | false' : 'text';
};

/**
 * Parses the settings of an environment.
 * @throws {OperatorError} naming each bad key, what was given and what is allowed.
 */
export const parseConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  // An empty variable is how shells and compose files say "not set".
  const given = Object.fromEntries(
    Object.keys(settings).flatMap((key) =>
      env[key] === undefined || env[key] === '' ? [] : [[key, env[key]]],
    ),
  );
  const result = schema.safeParse(given);
  if (result.success) {
    return {
      ...result.data,
      SIGHTLINE_HOME: resolve(result.data.SIGHTLINE_HOME),
      RECORDINGS_DIR: resolve(result.data.RECORDINGS_DIR),
      PLANS_FILE: result.data.PLANS_FILE === undefined ? undefined : resolve(result.data.PLANS_FILE),
    };
  }
  const rows = describeConfig();
  const lines = result.error.issues.map((issue) => {
    const key = String(issue.path[0]) as ConfigKey;
    const value = SECRET_KEYS.has(key) ? 'a value that is not shown' : `"${given[key]}"`;
    const row = rows.find((r) => r.key === key);
    const allowed = row?.allowed === 'text' ? issue.message : `${row?.allowed}`;
    return `${key} is ${value}; allowed: ${allowed}`;
  });
  throw new OperatorError('setting_invalid', lines.join('\n'));
};
