import { Command, InvalidArgumentError } from 'commander';
import { unlessAborted } from '../../../kernel/abort.ts';
import { jsonOf } from '../../../operations/events/event-format.ts';
import { intoStream } from '../../../operations/events/output-sink.ts';
import type { RecordedEvent, SelectionOptions } from '../../../operations/events/read-events.ts';
import { checkType } from '../../../operations/events/selection.ts';
import { positionArg } from '../../parse/position-arg.ts';
import { timeArg } from '../../parse/time-arg.ts';
import { stopSignal, withRuntime } from '../../with-runtime.ts';
import { exportCommand } from './export.ts';

/** What the commands work with, loaded when one runs. */
const load = () => import('../../../operations/events/read-events.ts');

const lineOf = (event: RecordedEvent): string => {
  const data = JSON.stringify(event.data);
  const short = data.length > 160 ? `${data.slice(0, 159)}…` : data;
  return `${event.position}  ${event.recorded_at}  ${event.stream}@${event.revision}  ${event.type}  ${short}`;
};

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A limit is a whole number.');
  return Number(text);
};

interface Options extends SelectionOptions {
  readonly limit?: number;
  readonly json?: boolean;
}

/** Prints events in flat memory, however many, until there are enough. @returns whether there are. */
const printer = ({ limit = Number.POSITIVE_INFINITY, json }: Options, signal: AbortSignal) => {
  const target = intoStream(process.stdout, signal);
  let left = limit;
  return async (events: readonly RecordedEvent[]): Promise<boolean> => {
    for (const event of events.slice(0, left)) {
      await target.write(`${json === true ? jsonOf(event) : lineOf(event)}\n`);
    }
    left -= events.length;
    return left <= 0;
  };
};

const withOptions = (command: Command): Command =>
  command
    .option('--stream <prefix>', 'only streams that begin so, as account-x: or account-x:nasa')
    .option('--type <type>', 'only events of this type')
    .option('--from <position>', 'first position to read', positionArg)
    .option('--to <position>', 'last position to read', positionArg)
    .option('--since <time>', 'only what the log took since then: an ISO 8601 time, or 15m, 2h, 7d', timeArg)
    .option('--limit <n>', 'stop after so many', count)
    .option('--json', 'print JSON lines');

const read = async (options: Options): Promise<void> => {
  await checkType(options.type);
  await withRuntime(async (runtime) => {
    if (options.limit === 0) return;
    const { signal } = new AbortController();
    const print = printer(options, signal);
    for await (const events of (await load()).readEvents(runtime, options, signal)) {
      if (await print(events)) return;
    }
  });
};

const tail = async (options: Options): Promise<void> => {
  await checkType(options.type);
  await withRuntime(async (runtime) => {
    if (options.limit === 0) return;
    const signal = stopSignal();
    const print = printer(options, signal);
    await unlessAborted(signal, async () => {
      for await (const events of (await load()).tailEvents(runtime, options, signal)) {
        if (await print(events)) return;
      }
    });
  });
};

/** `sightline events`: the log. */
export const eventsCommand = (): Command => {
  const events = new Command('events').description('read the event log').addHelpText(
    'after',
    `
Examples:
  sightline events read --stream account-x:nasa
  sightline events read --type AccountSighted --since 2h --limit 10 --json
  sightline events tail --stream engine-
  sightline events export --format parquet --out events.parquet`,
  );
  withOptions(events.command('read'))
    .description('print events in the order of the log, then end')
    .action((options: Options) => read(options));
  withOptions(events.command('tail'))
    .description('print events as they come, until Ctrl-C')
    .action((options: Options) => tail(options));
  events.addCommand(exportCommand());
  return events;
};
