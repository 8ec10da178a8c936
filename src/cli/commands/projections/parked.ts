import { Command } from 'commander';
import { OperatorError } from '../../../kernel/errors/codes.ts';
import type { ParkedEntry } from '../../../projections/dead-letters/operations.ts';
import { PROJECTION_NAMES } from '../../../projections/names.ts';
import type { Projection } from '../../../projections/projection.ts';
import type { EventLog } from '../../../write/log/port.ts';
import { projectionNames, projectionOf } from '../../parse/projection-arg.ts';
import { renderTable } from '../../render/table.ts';
import { withRuntime } from '../../with-runtime.ts';

interface Chosen {
  readonly projection?: readonly string[];
}

const chosen = async ({ projection: names }: Chosen): Promise<readonly Projection[]> =>
  Promise.all((names ?? PROJECTION_NAMES).map(projectionOf));

const deadLetters = () => import('../../../projections/dead-letters/operations.ts');

const HEAD = [
  'projection',
  { head: 'stream', keep: true },
  { head: 'parked at', keep: true, optional: true },
  'position',
  { head: 'type', optional: true },
  'waiting',
  'reason',
] as const;

/** How it is read by a machine. */
const rowOf = (entry: ParkedEntry, waiting: number) => ({
  projection: entry.projection,
  version: entry.version,
  stream: entry.stream,
  event_id: entry.eventId,
  position: String(entry.position),
  type: entry.type,
  parked_at: entry.parkedAt,
  waiting,
  reason: entry.reason,
});

const listCommand = (): Command =>
  new Command('list')
    .description('list the streams that are parked')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .option('--json', 'print JSON')
    .action((options: Chosen & { json?: boolean }) =>
      withRuntime(async ({ log }) => {
        const { listParked, waitingEvents } = await deadLetters();
        const rows = [];
        for (const entry of await listParked(log, await chosen(options))) {
          const waiting = await waitingEvents(log, await projectionOf(entry.projection), entry);
          rows.push(rowOf(entry, waiting.length));
        }
        if (options.json === true) console.log(JSON.stringify(rows, null, 2));
        else if (rows.length === 0) console.log('Nothing is parked.');
        else {
          const cells = rows.map((row) => [
            row.projection,
            row.stream,
            row.parked_at.slice(0, 10),
            row.position,
            row.type,
            row.waiting,
            row.reason,
          ]);
          console.log(renderTable(HEAD, cells));
        }
      }),
    );

/** A parked stream with the events that wait, of each projection that parked it. */
const readStream = async (log: EventLog, stream: string, options: Chosen) => {
  const { listParked, waitingEvents } = await deadLetters();
  const entries = (await listParked(log, await chosen(options))).filter((entry) => entry.stream === stream);
  if (entries.length === 0) {
    throw new OperatorError(
      `${stream} is not parked. What is, is listed by: sightline projections parked list`,
    );
  }
  const parked = [];
  for (const entry of entries) {
    const waiting = await waitingEvents(log, await projectionOf(entry.projection), entry);
    parked.push({ entry, waiting });
  }
  return parked;
};

type Parked = Awaited<ReturnType<typeof readStream>>;

const streamText = (stream: string, parked: Parked): string =>
  [
    ...parked.flatMap(({ entry, waiting }) => [
      `${entry.projection} (version ${entry.version}) parked ${stream} at ${entry.parkedAt}:`,
      `  ${entry.reason}`,
      renderTable(
        ['position', 'revision', 'type', 'recorded at', { head: 'id', keep: true }],
        waiting.map((event) => [
          event.position,
          event.revision,
          event.type,
          event.recorded_at.slice(0, 16),
          event.id,
        ]),
      ),
    ]),
    `What the first of them says: sightline events read --stream ${stream}`,
    `Apply them now:              sightline projections parked retry ${stream}`,
    `Apply all but the first:     sightline projections parked skip ${stream} --why "…"`,
  ].join('\n');

const streamJson = (parked: Parked) =>
  parked.map(({ entry, waiting }) => ({
    ...rowOf(entry, waiting.length),
    events: waiting.map((event) => ({
      position: String(event.position),
      revision: String(event.revision),
      type: event.type,
      recorded_at: event.recorded_at,
      id: event.id,
    })),
  }));

const showCommand = (): Command =>
  new Command('show')
    .description('why a stream is parked, and which of its events wait')
    .argument('<stream>', 'its name, as account-x:nasa')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .option('--json', 'print JSON')
    .action((stream: string, options: Chosen & { json?: boolean }) =>
      withRuntime(async ({ log }) => {
        const parked = await readStream(log, stream, options);
        console.log(
          options.json === true ? JSON.stringify(streamJson(parked), null, 2) : streamText(stream, parked),
        );
      }),
    );

const retryCommand = (): Command =>
  new Command('retry')
    .description('apply what is parked of a stream, or of all streams')
    .argument('[stream]', 'its name; with --all, none')
    .option('--all', 'all that is parked')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .action((stream: string | undefined, options: Chosen & { all?: boolean }) =>
      withRuntime(async ({ log }) => {
        if ((stream === undefined) !== (options.all === true)) {
          throw new OperatorError('Name the stream to retry, or say --all.');
        }
        const { listParked, retryParked } = await deadLetters();
        const parked = await listParked(log, await chosen(options));
        const streams = stream === undefined ? [...new Set(parked.map((entry) => entry.stream))] : [stream];
        if (streams.length === 0) console.log('Nothing is parked.');
        for (const one of streams) {
          const names = await retryParked(log, await chosen(options), one, 'asked for by an operator');
          console.log(
            `${names.join(', ')} will apply what was parked of ${one}; what fails is parked again.`,
          );
        }
      }),
    );

const skipCommand = (): Command =>
  new Command('skip')
    .description('do without the event that a stream is parked for, and apply what follows it')
    .argument('<stream>', 'its name, as account-x:nasa')
    .requiredOption('--why <text>', 'the reason, which the log keeps')
    .option('--projection <name...>', `only these (${projectionNames})`)
    .action((stream: string, options: Chosen & { why: string }) =>
      withRuntime(async ({ log }) => {
        const why = options.why.trim();
        if (why === '') throw new OperatorError('Say why: it is kept in the log, for whoever wonders later.');
        const { skipParked } = await deadLetters();
        for (const { projection, position } of await skipParked(log, await chosen(options), stream, why)) {
          console.log(
            `${projection} does without position ${position} and applies what follows it in ${stream}.`,
          );
        }
      }),
    );

/** `sightline projections parked`: the dead-letter queue. */
export const parkedCommand = (): Command => {
  const command = new Command('parked')
    .description("the dead-letter queue: streams with an event that a projection can't apply")
    .addHelpText(
      'after',
      `
A projection that can't apply an event parks its stream: the event, and what follows it in the stream, wait in their
order, while everything else goes on. After an upgrade they are retried without being asked for. Parking, retries and
skips are events of the log, so that a rebuild comes to the same rows.

Examples:
  sightline projections parked list
  sightline projections parked show account-x:nasa
  sightline projections parked retry account-x:nasa
  sightline projections parked retry --all --projection directory
  sightline projections parked skip account-x:nasa --why "written by a broken build of 12 May"`,
    );
  for (const make of [listCommand, showCommand, retryCommand, skipCommand]) command.addCommand(make());
  return command;
};
