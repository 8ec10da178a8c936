import { Command } from 'commander';
import { formatUsd } from '../../kernel/money.ts';
import { dollars } from '../parse/args.ts';
import { withRuntime } from '../with-runtime.ts';

/** `sightline wallet`: what overage is paid from. */
export const walletCommand = (): Command => {
  const wallet = new Command('wallet').description('what overage is paid from').addHelpText(
    'after',
    `
Example:
  sightline wallet credit acme-research 250.00 --reference invoice-2026-117`,
  );
  wallet
    .command('credit')
    .argument('<holder>', 'id of the holder')
    .argument('<dollars>', 'amount, such as 250.00')
    .option('--reference <text>', 'reference of the payment; each one is credited once')
    .description('credit a wallet')
    .action((holder: string, amount: string, options: { reference?: string }) =>
      withRuntime(async (runtime) => {
        const { creditWallet } = await import('../../operations/usage/wallet.ts');
        const amountMicroUsd = dollars(amount);
        const reference = options.reference ?? null;
        const credited = await creditWallet(runtime, { holder, amountMicroUsd, reference });
        console.log(
          credited
            ? `${formatUsd(amountMicroUsd)} dollars are credited to ${holder}.`
            : `${reference} was credited to ${holder} already: nothing has changed.`,
        );
      }),
    );
  return wallet;
};
