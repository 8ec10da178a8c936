import { Argument, Command } from 'commander';
import { OperatorError } from '../../../kernel/errors.ts';
import { print, printJson } from '../../../kernel/terminal.ts';
import type { Source } from '../../../operations/projections/source.ts';
import { recorded, withRuntime } from '../../with-runtime.ts';

const FED: Readonly<Record<Source, string>> = {
  kafka: 'Read models follow Kafka where KAFKA_BROKERS is set.',
  log: 'Read models follow the log; Kafka feeds none of them.',
};

/** `sightline projections source`: what feeds the read models that Kafka can feed. */
export const sourceCommand = (): Command =>
  recorded(new Command('source'))
    .description('show or choose what feeds the read models: Kafka, or the log while Kafka is down')
    .addArgument(new Argument('[source]', 'the new one').choices(['kafka', 'log']))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Running processes follow within seconds, and crawl on. Views that need more than the order within each stream read the
log in any case. The relay goes on with what it has not published once the brokers are back.

Examples:
  sightline projections source
  sightline projections source log --reason "the brokers are down"
  sightline projections source kafka --reason "they are back"`,
    )
    .action((source: Source | undefined, { reason, json }: { reason?: string; json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { chooseSource, presentSource } = await import('../../../operations/projections/source.ts');
        if (source !== undefined) {
          if (reason === undefined) throw new OperatorError('argument_invalid', 'Give the --reason.');
          await chooseSource(runtime, source, reason);
        }
        const now = await presentSource(runtime);
        if (json === true) printJson({ source: now }, 2);
        else print(FED[now]);
      }),
    );
