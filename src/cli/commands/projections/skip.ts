import { Command } from 'commander';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import type { Db } from '../../../kernel/postgres/pool.ts';
import { position } from '../../../operations/events/selection.ts';
import { PROJECTION_NAMES } from '../../../projections/names.ts';
import type { Projection } from '../../../projections/projection.ts';
import type { EventLog, RecordedEvent } from '../../../write/log/port.ts';
import { projectionNames, projectionOf } from '../../parse/projection-arg.ts';
import { withRuntime } from '../../with-runtime.ts';

interface Options {
  readonly why: string;
  readonly projection?: readonly string[];
}

const whoSkips = async (
  event: RecordedEvent,
  names: readonly string[] | undefined,
): Promise<readonly Projection[]> => {
  const { subscribes } = await import('../../../projections/stalls/skipped-events.ts');
  const chosen = await Promise.all((names ?? PROJECTION_NAMES).map(projectionOf));
  const concerned = chosen.filter((projection) => subscribes(projection, event));
  const others = chosen.filter((projection) => !concerned.includes(projection)).map(({ name }) => name);
  if (concerned.length === 0 || (names !== undefined && others.length > 0)) {
    const who = names === undefined ? 'No projection takes' : `${others.join(', ')} does not take`;
    throw new OperatorError(
      'argument_invalid',
      `${who} in ${event.type} of ${event.stream}: there is nothing to skip at position ${event.position}.`,
    );
  }
  return [...new Set(concerned)];
};

/** Whether the rows that are served hold the event already: a skip does not take it out of them. */
const isServed = async (db: Db, { name, version }: Projection, event: RecordedEvent): Promise<boolean> => {
  const { activeBuild } = await import('../../../projections/builds/builds.ts');
  const { checkpointsOf, isIn } = await import('../../../projections/engine/checkpoints.ts');
  const active = await activeBuild(db, name, version);
  return active !== null && isIn(event, await checkpointsOf(db, active.schema));
};

/**
 * Has projections do without the event at a position.
 * @returns what there is to say, a line each.
 */
export const skipAt = async (
  { db, log }: { readonly db: Db; readonly log: EventLog },
  at: bigint,
  options: Options,
): Promise<readonly string[]> => {
  const why = options.why.trim();
  if (why === '')
    throw new OperatorError('argument_invalid', 'Say why: it is kept in the log, for whoever wonders later.');
  await Promise.all((options.projection ?? []).map(projectionOf));
  const { eventAt } = await import('../../../projections/stalls/skipped-events.ts');
  const { skipAndRetry } = await import('../../../projections/dead-letters/operations.ts');
  const event = await eventAt(log, at);
  if (event === null) throw new OperatorError('argument_invalid', `There is no event at position ${at}.`);
  const lines: string[] = [];
  for (const projection of await whoSkips(event, options.projection)) {
    const { name } = projection;
    const served = await isServed(db, projection, event);
    const { isNew, wasParked } = await skipAndRetry(log, projection, event, why);
    lines.push(
      isNew
        ? `${name} does without position ${at} from now on (${event.type} of ${event.stream}).`
        : `${name} does without position ${at} already.`,
    );
    if (wasParked) lines.push(`What follows it in ${event.stream} was parked, and is applied now.`);
    else if (served)
      lines.push(`It is in the rows that are served; to take it out: sightline projections rebuild ${name}`);
  }
  return lines;
};

/** `sightline projections skip`: the way past an event that can't be taken in. */
export const skipCommand = (): Command =>
  new Command('skip')
    .description('have projections do without an event, now and whenever they are built anew')
    .argument('<position>', 'where the event stands in the log', position)
    .requiredOption('--why <text>', 'the reason, which the log keeps')
    .option(
      '--projection <name...>',
      `only these; all that take in such events otherwise (${projectionNames})`,
    )
    .addHelpText(
      'after',
      `
The skip is an event itself, in the stream projection-<name>: rebuild, verify and copies do without the event too.
A projection that stands before it goes on within seconds.

Examples:
  sightline projections lag     where a projection stands, and why
  sightline projections skip 4711 --why "written by a broken build of 12 May"
  sightline projections skip 4711 --projection directory --why "renames in a circle"`,
    )
    .action((at: bigint, options: Options) =>
      withRuntime(async (runtime) => {
        for (const line of await skipAt(runtime, at, options)) console.log(line);
      }),
    );
