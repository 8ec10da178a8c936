import { Command } from 'commander';
import { OperatorError } from '../../kernel/errors.ts';
import { comparisonText, explanationText, figuresText } from '../render/people.ts';
import { withRuntime } from '../with-runtime.ts';

interface Json {
  readonly json?: boolean;
}

const print = ({ json }: Json, data: unknown, text: () => string): void =>
  console.log(json === true ? JSON.stringify(data, null, 2) : text());

const countOf = (text: string): number => {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new OperatorError('argument_invalid', `"${text}" is no number of pairs; give one from 0 to 9999`);
};

const EXAMPLES = `
Examples:
  sightline people explain x:nasa https://www.instagram.com/nasa/
  sightline people verify --truth http://127.0.0.1:4410
  sightline projections rebuild people --as-of 2026-11-01
  sightline people compare people_as_of_91827 people_v2_b3

docs/methods/people.md has the method and what was measured of it.`;

/** `sightline people`: why accounts are of one person, and how often that is right. */
export const peopleCommand = (): Command => {
  const people = new Command('people')
    .description('persons across platforms: why accounts are one, and how often that is right')
    .addHelpText('after', EXAMPLES);
  people
    .command('explain')
    .description('print why two accounts are one person, or why not')
    .argument('<account>', 'platform:handle, platform:id:<id> or a profile URL')
    .argument('<other>', 'the same')
    .option('--json', 'print JSON')
    .action((account: string, other: string, options: Json) =>
      withRuntime(async (runtime) => {
        const { explainPeople } = await import('../../operations/people/explain.ts');
        const explanation = await explainPeople(runtime, account, other);
        print(options, explanation, () => explanationText(explanation));
      }),
    );
  people
    .command('verify')
    .description('compare persons with what a simulator knows, and print precision, recall and calibration')
    .option('--truth <url>', 'the simulator; SIMULATOR_URL by default')
    .option('--json', 'print JSON')
    .action((options: Json & { truth?: string }) =>
      withRuntime(async (runtime) => {
        const [{ verifyPeople }, { trueOwners, worldHash }] = await Promise.all([
          import('../../operations/people/verify.ts'),
          import('../../operations/people/truth.ts'),
        ]);
        const simulator = options.truth ?? runtime.config.SIMULATOR_URL;
        if (simulator === undefined)
          throw new OperatorError('argument_invalid', 'give the URL of a simulator with --truth');
        const world = await worldHash(simulator);
        const figures = await verifyPeople(runtime, trueOwners(simulator));
        print(options, { world, ...figures }, () => figuresText(world, figures));
      }),
    );
  people
    .command('compare')
    .description('compare two builds or copies of the view: pairs that one has and the other has not')
    .argument('<first>', 'a build or copy, as `projections list` names it')
    .argument('<second>', 'the same')
    .option('--show <n>', 'pairs of each kind to print', countOf, 10)
    .option('--json', 'print JSON')
    .action((first: string, second: string, options: Json & { show: number }) =>
      withRuntime(async (runtime) => {
        const { comparePeople } = await import('../../operations/people/compare.ts');
        const comparison = await comparePeople(runtime, first, second, options.show);
        print(options, comparison, () => comparisonText(comparison));
      }),
    );
  return people;
};
