import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';
import { withoutHidden } from './text.ts';

export type { Logger } from 'pino';

/** Field names that might hold a secret by mistake. They are redacted at every depth that log lines have. */
const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'key',
  'key_hash',
  'hash',
  'token',
  'secret',
  'password',
];

/**
 * The logger of the process. It writes to standard error, so that a command's output can be piped: pretty on a terminal, otherwise
 * JSON.
 */
export const createLogger = (
  config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>,
  stream: { readonly fd: number; readonly isTTY?: boolean } = process.stderr,
): Logger => {
  const forPeople = config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && stream.isTTY === true);
  const destination: DestinationStream = forPeople
    ? pretty({ destination: stream.fd, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' })
    : pino.destination({ fd: stream.fd, sync: false });
  const admits = createRepeats();
  return pino(
    {
      level: config.LOG_LEVEL,
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
      hooks: {
        // Lines quote strangers, and go to terminals.
        streamWrite: withoutHidden,
        logMethod(args, method, level) {
          const [given, ...rest] = args as unknown as [unknown, ...unknown[]];
          const bound = { ...OWN, ...this.bindings() };
          const about = withoutBound(given, bound);
          const say = (more: object): void =>
            Reflect.apply(method, this, [isFields(about) ? { ...about, ...more } : about, ...rest]);
          const key = level < WARN || !isFields(about) ? null : failureOf({ ...bound, ...about }, rest[0]);
          if (key === null || admits(key, (repeated) => say({ repeated }))) say({});
        },
      },
    },
    destination,
  );
};

/** Fields that each line has, whatever its logger. */
const OWN = { level: null, time: null, msg: null, pid: process.pid, hostname: hostname() };

const WARN = 40;

/** For how long further lines of a failure are counted and not written. */
const QUIET_MS = 60_000;
const MAX_FAILURES = 1_000;

/** Names the failure that a line reports, by its text, its error and its named subjects; null for a line without an error. */
const failureOf = (fields: Readonly<Record<string, unknown>>, text: unknown): string | null => {
  const { err } = fields;
  if (err === undefined) return null;
  const error = err instanceof Error ? err.message : String(err);
  const subjects = Object.entries(fields).filter(
    ([name, value]) => name !== 'err' && typeof value === 'string',
  );
  return JSON.stringify([text, error, ...subjects]);
};

/**
 * Decides which lines of failures are written: the first of each, then one a minute that says how often it was repeated. One outage
 * is met by everything that asks for what is gone.
 */
const createRepeats = () => {
  const quiet = new Map<string, { n: number; say: (repeated: number) => void }>();
  const begin = (key: string, say: (repeated: number) => void): void => {
    quiet.set(key, { n: 0, say });
    setTimeout(() => {
      const { n, say: last } = quiet.get(key) ?? { n: 0, say };
      quiet.delete(key);
      if (n === 0) return;
      begin(key, last);
      last(n);
    }, QUIET_MS).unref();
  };
  /** @returns whether the line is to be written now; otherwise it is counted. */
  return (key: string, say: (repeated: number) => void): boolean => {
    const before = quiet.get(key);
    if (before === undefined) {
      if (quiet.size < MAX_FAILURES) begin(key, say);
      return true;
    }
    before.n += 1;
    before.say = say;
    return false;
  };
};

const isFields = (about: unknown): about is Readonly<Record<string, unknown>> =>
  typeof about === 'object' && about !== null && !(about instanceof Error);

/** What a line is about, without the fields that all lines of its logger have: JSON with a field twice is not read alike. */
const withoutBound = (about: unknown, bound: Readonly<Record<string, unknown>>): unknown => {
  if (!isFields(about)) return about;
  const entries = Object.entries(about);
  if (!entries.some(([name]) => Object.hasOwn(bound, name))) return about;
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, unknown][] => {
      if (!Object.hasOwn(bound, name)) return [[name, value]];
      return bound[name] === value ? [] : [[`line_${name}`, value]];
    }),
  );
};

export const silentLogger: Logger = pino({ level: 'silent' });
