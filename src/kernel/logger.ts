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
  return pino(
    {
      level: config.LOG_LEVEL,
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
      // Lines quote strangers, and go to terminals.
      hooks: { streamWrite: withoutHidden },
    },
    destination,
  );
};

export const silentLogger: Logger = pino({ level: 'silent' });
