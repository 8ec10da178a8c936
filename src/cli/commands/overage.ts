import { Command } from 'commander';
import { formatUsd } from '../../kernel/money.ts';
import { dollars } from '../parse/parse-amount.ts';
import { withRuntime } from '../with-runtime.ts';

/** What the commands work with, loaded when one runs. */
const load = async () => ({
  ...(await import('../../operations/holders/read-holders.ts')),
  ...(await import('../../write/metering/load-plans.ts')),
  ...(await import('../../write/holders/holder-commands.ts')),
});

/** `sightline overage`: whether requests past the budget are served. */
export const overageCommand = (): Command => {
  const overage = new Command('overage')
    .description('whether requests past the budget are served, and charged to the wallet')
    .addHelpText(
      'after',
      `
Examples:
  sightline overage on acme-research               as long as the wallet lasts
  sightline overage on acme-research --cap 50.00   at most 50 dollars a period
  sightline overage off acme-research`,
    );
  overage
    .command('on')
    .argument('<holder>', 'id of the holder')
    .option('--cap <dollars>', 'the most that a period may come to; no cap where not given')
    .description('serve requests past the budget')
    .action((holder: string, options: { cap?: string }) =>
      withRuntime(async (runtime) => {
        const { changeHolder, loadPlans, setOverage } = await load();
        const capMicroUsd = options.cap === undefined ? null : dollars(options.cap);
        const plans = await loadPlans(runtime.config);
        const events = await changeHolder(runtime, holder, (at) =>
          setOverage(holder, { on: true, capMicroUsd }, plans, at),
        );
        const terms =
          capMicroUsd === null ? 'without a cap' : `up to ${formatUsd(capMicroUsd)} dollars a period`;
        console.log(`Overage of ${holder} is on${events.length === 0 ? ' already' : ''}, ${terms}.`);
      }),
    );
  overage
    .command('off')
    .argument('<holder>', 'id of the holder')
    .description('refuse requests past the budget')
    .action((holder: string) =>
      withRuntime(async (runtime) => {
        const { changeHolder, loadPlans, setOverage } = await load();
        const plans = await loadPlans(runtime.config);
        const events = await changeHolder(runtime, holder, (at) =>
          setOverage(holder, { on: false }, plans, at),
        );
        console.log(`Overage of ${holder} is off${events.length === 0 ? ' already' : ''}.`);
      }),
    );
  return overage;
};
