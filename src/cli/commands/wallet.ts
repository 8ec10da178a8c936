import { Command } from 'commander';
import { formatUsd } from '../../kernel/money.ts';
import { dollars } from '../parse/parse-amount.ts';
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
    .argument('<dollars>', 'amount, as 250.00')
    .option('--reference <text>', 'what the payment is known by; the same one is credited once')
    .description('credit a wallet')
    .action((holder: string, amount: string, options: { reference?: string }) =>
      withRuntime(async (runtime) => {
        const { creditWallet } = await import('../../write/holders/holder-commands.ts');
        const { changeHolder } = await import('../../operations/holders/read-holders.ts');
        const amountMicroUsd = dollars(amount);
        const reference = options.reference ?? null;
        const events = await changeHolder(runtime, holder, (at) =>
          creditWallet(holder, { amountMicroUsd, reference }, at),
        );
        console.log(
          events.length === 0
            ? `${reference} was credited to ${holder} already: nothing has changed.`
            : `${formatUsd(amountMicroUsd)} dollars are credited to ${holder}.`,
        );
      }),
    );
  return wallet;
};
