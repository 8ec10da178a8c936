import { Command } from 'commander';
import { formatUsd } from '../../kernel/money.ts';
import { print } from '../../kernel/terminal.ts';
import { dollars } from '../parse/args.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline wallet`: what overage is paid from. */
export const walletCommand = (): Command => {
  const wallet = new Command('wallet').description('credit the wallets that pay for overage').addHelpText(
    'after',
    `
Example:
  sightline wallet credit acme-research 250.00 --reference invoice-2026-117`,
  );
  recorded(wallet.command('credit'))
    .argument('<holder>', 'id of the holder')
    .argument('<dollars>', 'amount, such as 250.00')
    .option('--reference <text>', 'payment reference; each reference is credited once')
    .description('credit a wallet')
    .action((holder: string, amount: string, options: { reference?: string }) =>
      withRuntime(async (runtime) => {
        const { creditWallet } = await import('../../operations/usage/wallet.ts');
        const amountMicroUsd = dollars(amount);
        const reference = options.reference ?? null;
        const credited = await creditWallet(runtime, { holder, amountMicroUsd, reference });
        print(
          credited
            ? `${formatUsd(amountMicroUsd)} dollars are credited to ${holder}.`
            : `${reference} was credited to ${holder} already: nothing has changed.`,
        );
      }),
    );
  return wallet;
};

/** `sightline overage`: whether requests past the quota are served. */
export const overageCommand = (): Command => {
  const overage = new Command('overage')
    .description('choose whether requests beyond the quota are served and charged to the wallet')
    .addHelpText(
      'after',
      `
Examples:
  sightline overage on acme-research               as long as the wallet lasts
  sightline overage on acme-research --cap 50.00   at most 50 dollars a period
  sightline overage off acme-research`,
    );
  recorded(overage.command('on'))
    .argument('<holder>', 'id of the holder')
    .option('--cap <dollars>', 'maximum overage per period; none by default')
    .description('serve requests beyond the quota')
    .action((holder: string, options: { cap?: string }) =>
      withRuntime(async (runtime) => {
        const capMicroUsd = options.cap === undefined ? null : dollars(options.cap);
        const changed = await (await load()).setOverage(runtime, holder, { on: true, capMicroUsd });
        const terms =
          capMicroUsd === null ? 'without a cap' : `up to ${formatUsd(capMicroUsd)} dollars a period`;
        print(`Overage of ${holder} is on${changed ? '' : ' already'}, ${terms}.`);
      }),
    );
  recorded(overage.command('off'))
    .argument('<holder>', 'id of the holder')
    .description('refuse requests beyond the quota')
    .action((holder: string) =>
      withRuntime(async (runtime) => {
        const changed = await (await load()).setOverage(runtime, holder, { on: false });
        print(`Overage of ${holder} is off${changed ? '' : ' already'}.`);
      }),
    );
  return overage;
};

/** Modules of the commands, loaded when one runs. */
const load = () => import('../../operations/usage/wallet.ts');
