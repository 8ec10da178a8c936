import { Command } from 'commander';
import { OperatorError } from '../../../kernel/errors.ts';
import { print, printJson } from '../../../kernel/terminal.ts';
import type { ParkedStream } from '../../../operations/projections/parked.ts';
import type { Skip } from '../../../operations/projections/skip.ts';
import { positionArg, projectionNames } from '../../parse/args.ts';
import { listing, type Output, printList } from '../../render/listing.ts';
import { renderTable } from '../../render/table.ts';
import { recorded, withRuntime } from '../../with-runtime.ts';

/** `sightline projections parked`: the dead-letter queue. */
export const parkedCommand = (): Command => {
  const command = new Command('parked')
    .description('manage the dead-letter queue: streams with an event that a projection cannot apply')
    .addHelpText(
      'after',
      `
A projection that can't apply an event parks its stream: this event and all later ones of the stream wait in order,
while all other streams are processed. After an upgrade, parked streams are retried automatically. Parking, retries
and skips are events in the log, so that a rebuild produces the same rows.

Examples:
  sightline projections parked list
  sightline projections parked show account-x:nasa
  sightline projections parked retry account-x:nasa
  sightline projections parked retry --all --projection directory
  sightline projections parked skip account-x:nasa --reason "written by a broken build of 12 May"`,
    );
  for (const make of [listCommand, showCommand, retryCommand, skipParkedCommand]) command.addCommand(make());
  return command;
};

/** A skip for people. */
export const skipLines = ({ projection, event, isNew, wasParked, isServed }: Skip): readonly string[] => {
  const { position, type, stream } = event;
  const lines = [
    isNew
      ? `${projection} now skips position ${position} (${type} in ${stream}).`
      : `${projection} already skips position ${position}.`,
  ];
  if (wasParked) lines.push(`The events after it in ${stream} were parked, and are applied now.`);
  else if (isServed)
    lines.push(`The served rows contain it; to remove it: sightline projections rebuild ${projection}`);
  return lines;
};

/** `sightline projections skip`: the way past an event that can't be applied. */
export const skipCommand = (): Command =>
  recorded(new Command('skip'), 'required')
    .description('make projections skip an event, now and in every rebuild')
    .argument('<position>', 'position of the event in the log', positionArg)
    .option(
      '--projection <name...>',
      `only these; default: all that subscribe to the event (${projectionNames})`,
    )
    .addHelpText(
      'after',
      `
The skip is itself recorded as an event, in the stream projection-<name>, so that rebuilds, verifications and copies
skip the event too. A projection that is stalled at the event resumes within seconds.

Examples:
  sightline projections lag     which projections are stalled, where and why
  sightline projections skip 4711 --reason "written by a broken build of 12 May"
  sightline projections skip 4711 --projection directory --reason "renames in a circle"`,
    )
    .action((position: bigint, { reason, projection }: SkipOptions) =>
      withRuntime(async (runtime) => {
        const { skipEvent } = await import('../../../operations/projections/skip.ts');
        for (const skip of await skipEvent(runtime, { position, reason, projections: projection })) {
          for (const line of skipLines(skip)) print(line);
        }
      }),
    );

interface Options {
  readonly projection?: readonly string[];
}

/** Modules of the commands, loaded when one runs. */
const load = () => import('../../../operations/projections/parked.ts');

const HEAD = [
  'projection',
  { head: 'stream', keep: true },
  { head: 'parked at', keep: true, optional: true },
  'position',
  { head: 'type', optional: true },
  'waiting',
  'reason',
] as const;

/** A parked stream for machines. */
const rowOf = (entry: ParkedStream) => ({
  projection: entry.projection,
  version: entry.version,
  stream: entry.stream,
  event_id: entry.eventId,
  position: String(entry.position),
  type: entry.type,
  parked_at: entry.parkedAt,
  waiting: entry.waiting.length,
  reason: entry.reason,
});

const listCommand = (): Command =>
  listing(new Command('list'))
    .description('list the parked streams')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .action(({ projection, ...options }: Options & Output) =>
      withRuntime(async (runtime) => {
        const rows = (await (await load()).listParked(runtime, { projections: projection })).map(rowOf);
        const table = (width: number) => {
          const cells = rows.map((row) => [
            row.projection,
            row.stream,
            row.parked_at,
            row.position,
            row.type,
            row.waiting,
            row.reason,
          ]);
          return renderTable(HEAD, cells, { width });
        };
        printList(options, rows, { table, empty: 'No stream is parked.' });
      }),
    );

const showLines = (stream: string, entries: readonly ParkedStream[]): readonly string[] => [
  ...entries.flatMap((entry) => [
    `${entry.projection} (version ${entry.version}) parked ${stream} at ${entry.parkedAt}:`,
    `  ${entry.reason}`,
    renderTable(
      ['position', 'revision', 'type', 'recorded at', 'id'],
      entry.waiting.map((event) => [event.position, event.revision, event.type, event.recorded_at, event.id]),
    ),
  ]),
  `To read the first event:        sightline events read --stream ${stream}`,
  `To apply them now:              sightline projections parked retry ${stream}`,
  `To apply all but the first:     sightline projections parked skip ${stream} --reason "…"`,
];

const showCommand = (): Command =>
  new Command('show')
    .description('show why a stream is parked, and which of its events are waiting')
    .argument('<stream>', 'its name, such as account-x:nasa')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .option('--json', 'print JSON')
    .action((stream: string, { projection, json }: Options & { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const entries = await (await load()).showParked(runtime, stream, { projections: projection });
        if (json !== true) {
          for (const line of showLines(stream, entries)) print(line);
          return;
        }
        const rows = entries.map((entry) => ({
          ...rowOf(entry),
          events: entry.waiting.map(({ position, revision, type, recorded_at, id }) => {
            return { position: String(position), revision: String(revision), type, recorded_at, id };
          }),
        }));
        printJson(rows, 2);
      }),
    );

const retryCommand = (): Command =>
  recorded(new Command('retry'))
    .description('apply the parked events of a stream, or of all streams')
    .argument('[stream]', 'its name; omit it with --all')
    .option('--all', 'every parked stream')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .action((stream: string | undefined, { projection, all }: Options & { all?: boolean }) =>
      withRuntime(async (runtime) => {
        if ((stream === undefined) !== (all === true)) {
          throw new OperatorError('argument_invalid', 'Name the stream to retry, or give --all.');
        }
        const { retryParked } = await load();
        const retries = await retryParked(runtime, stream ?? null, { projections: projection });
        if (retries.length === 0) print('No stream is parked.');
        for (const retry of retries) {
          print(
            `${retry.projections.join(', ')} will retry the parked events of ${retry.stream}; what fails again is parked again.`,
          );
        }
      }),
    );

const skipParkedCommand = (): Command =>
  recorded(new Command('skip'), 'required')
    .description('skip the event that caused a stream to be parked, and apply the following ones')
    .argument('<stream>', 'its name, such as account-x:nasa')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .action((stream: string, { projection, reason }: Options & { reason: string }) =>
      withRuntime(async (runtime) => {
        const { skipParked } = await load();
        for (const skipped of await skipParked(runtime, stream, { projections: projection, reason })) {
          print(
            `${skipped.projection} now skips position ${skipped.position} and applies the events after it in ${stream}.`,
          );
        }
      }),
    );

interface SkipOptions {
  readonly reason: string;
  readonly projection?: readonly string[];
}
