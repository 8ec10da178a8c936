import { Command } from 'commander';
import { intoFile, intoStdout, type Target } from '../../operations/events/output-sink.ts';
import { checkType, type SelectionOptions, selectionOf } from '../../operations/events/selection.ts';
import type { PointInTime } from '../../operations/projections/builds.ts';
import { pointArg } from '../parse/args.ts';
import { eventCount, unlessInterrupted, workProgress } from '../render/progress.ts';
import { stopSignal, withRuntime } from '../with-runtime.ts';

/** `sightline replay`: the log, folded by an analyst's own code. */
export const replayCommand = (): Command =>
  new Command('replay')
    .description('fold the log with your own code and print the result as JSON')
    .addHelpText(
      'after',
      `
The handler is a module, TypeScript or JavaScript, whose default export is
  { initial, apply(state, event), result?(state) }   apply returns the state after the event
or a function (state, event) that returns the state; the first state is undefined.
Its types are in src/operations/events/handler.ts. Hashes of keys are redacted.

--from (inclusive) and --until (exclusive) take a position, or a time that is compared with recorded_at.

Examples:
  sightline replay --handler ./my-fold.ts --type AccountSighted
  sightline replay --handler ./my-fold.ts --from 2026-11-01 --until 2026-12-01 --out november.json`,
    )
    .requiredOption('--handler <module>', 'the module to fold with, such as ./my-fold.ts')
    .option('--from <point>', 'first position or time: an ISO 8601 time, or 15m, 2h, 7d ago', pointArg)
    .option('--until <point>', 'the position or time to stop before', pointArg)
    .option('--stream <prefix>', 'only streams with this prefix, such as account-x: or account-x:nasa')
    .option('--type <type>', 'only events of this type')
    .option('--out <file>', 'write to this file instead of standard output')
    .action(run);

interface Options {
  readonly handler: string;
  readonly from?: PointInTime;
  readonly until?: PointInTime;
  readonly stream?: string;
  readonly type?: string;
  readonly out?: string;
}

/** Half-open, by position as by time. */
const selectionOptions = ({ from, until, stream, type }: Options): SelectionOptions => ({
  ...(stream === undefined ? {} : { stream }),
  ...(type === undefined ? {} : { type }),
  ...(from === undefined ? {} : 'position' in from ? { from: from.position } : { since: from.timeMs }),
  ...(until === undefined ? {} : 'position' in until ? { to: until.position - 1n } : { until: until.timeMs }),
});

const run = async (options: Options): Promise<void> => {
  const { out } = options;
  await checkType(options.type);
  const { loadHandler, replay, resultJson } = await import('../../operations/events/replay.ts');
  const signal = stopSignal();
  const handler = await loadHandler(options.handler);
  const work = (target: Target) =>
    withRuntime(async (runtime) => {
      const { log } = runtime;
      const selection = await selectionOf(log, selectionOptions(options));
      const progress = await workProgress('replay', out, runtime);
      const { result, count } = await replay(log, selection, handler, {
        signal,
        onProgress: progress.update,
      }).finally(progress.end);
      await target.write(`${resultJson(result)}\n`);
      progress.say(`Replayed ${eventCount(count)}`);
    });
  await unlessInterrupted(signal, out, () =>
    out === undefined ? work(intoStdout(signal)) : intoFile(out, work),
  );
};
