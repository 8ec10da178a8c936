import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import { eventCatalog } from '../write/catalog.ts';
import type { EventFilter, RecordedEvent } from '../write/log/port.ts';
import { stopSignal, withProgram } from './command.ts';
import { durationMs } from './durations.ts';

/** What is never printed: it is of no use to anybody who may read it. */
const REDACTED = new Set(['key_hash', 'successor_hash']);

const redact = (data: unknown): unknown =>
  data !== null && typeof data === 'object' && !Array.isArray(data)
    ? Object.fromEntries(Object.entries(data).map(([k, v]) => [k, REDACTED.has(k) ? '[redacted]' : v]))
    : data;

const jsonOf = (event: RecordedEvent): string =>
  JSON.stringify({
    position: String(event.position),
    stream: event.stream,
    revision: String(event.revision),
    id: event.id,
    type: event.type,
    recorded_at: event.recorded_at,
    data: redact(event.data),
    metadata: event.metadata,
  });

const lineOf = (event: RecordedEvent): string => {
  const data = JSON.stringify(redact(event.data));
  const short = data.length > 160 ? `${data.slice(0, 159)}…` : data;
  return `${event.position}  ${event.recorded_at}  ${event.stream}@${event.revision}  ${event.type}  ${short}`;
};

const position = (text: string): bigint => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A position is a whole number.');
  return BigInt(text);
};

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A limit is a whole number.');
  return Number(text);
};

const typeName = (text: string): string => {
  if (!(text in eventCatalog)) {
    throw new InvalidArgumentError(`The event types are: ${Object.keys(eventCatalog).join(', ')}`);
  }
  return text;
};

/** An ISO 8601 time, or how long ago: `90s`, `15m`, `2h`, `7d`. */
const timeOf = (text: string): number => {
  const ago = durationMs(text);
  if (ago !== null) return Date.now() - ago;
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new UsageError(
      `"${text}" is no time: write 2026-11-21T08:00:00Z, or 15m for a quarter of an hour ago`,
    );
  return at;
};

interface Options {
  readonly stream?: string;
  readonly type?: string;
  readonly from?: bigint;
  readonly to?: bigint;
  readonly since?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

const filterOf = ({ stream, type }: Options): EventFilter => ({
  ...(stream === undefined ? {} : { streamPrefixes: [stream] }),
  ...(type === undefined ? {} : { types: [type] }),
});

/** Writes and waits where the reader of the pipe is slower, so that any amount is printed in flat memory. */
const print = (line: string): Promise<void> =>
  process.stdout.write(`${line}\n`)
    ? Promise.resolve()
    : new Promise((resolve) => process.stdout.once('drain', () => resolve()));

const withOptions = (command: Command): Command =>
  command
    .option('--stream <prefix>', 'only streams that begin so, as account-x: or account-x:nasa')
    .option('--type <type>', 'only events of this type', typeName)
    .option('--from <position>', 'first position to read', position)
    .option('--to <position>', 'last position to read', position)
    .option('--since <time>', 'only what the log took since then: an ISO 8601 time, or 15m, 2h, 7d')
    .option('--limit <n>', 'stop after so many', count)
    .option('--json', 'print JSON lines');

/** `sightline events`: the log. */
export const eventsCommand = (): Command => {
  const events = new Command('events').description('read the event log').addHelpText(
    'after',
    `
Examples:
  sightline events read --stream account-x:nasa
  sightline events read --type AccountSighted --since 2h --limit 10 --json
  sightline events tail --stream engine-`,
  );
  withOptions(events.command('read'))
    .description('print events in the order of the log, then end')
    .action((options: Options) =>
      withProgram(async ({ log }) => {
        const since = options.since === undefined ? 0 : timeOf(options.since);
        const after = options.from === undefined ? 0n : options.from - 1n;
        let left = options.limit ?? Number.POSITIVE_INFINITY;
        const to = options.to === undefined ? {} : { to: options.to };
        if (left === 0) return;
        for await (const page of log.readAll(after, { ...filterOf(options), ...to })) {
          for (const event of page.events) {
            if (Date.parse(event.recorded_at) < since) continue;
            await print(options.json === true ? jsonOf(event) : lineOf(event));
            left -= 1;
            if (left <= 0) return;
          }
        }
      }),
    );
  withOptions(events.command('tail'))
    .description('print events as they come, until Ctrl-C')
    .action((options: Options) =>
      withProgram(async ({ log }) => {
        const signal = stopSignal();
        const since = options.since === undefined ? 0 : timeOf(options.since);
        const start =
          options.from !== undefined
            ? options.from - 1n
            : options.since !== undefined
              ? 0n
              : await log.head();
        let left = options.limit ?? Number.POSITIVE_INFINITY;
        if (left === 0) return;
        for await (const page of log.subscribe(start, { ...filterOf(options), signal })) {
          for (const event of page.events) {
            if (options.to !== undefined && event.position > options.to) return;
            if (Date.parse(event.recorded_at) < since) continue;
            await print(options.json === true ? jsonOf(event) : lineOf(event));
            left -= 1;
            if (left <= 0) return;
          }
          if (options.to !== undefined && page.through >= options.to) return;
        }
      }),
    );
  return events;
};
