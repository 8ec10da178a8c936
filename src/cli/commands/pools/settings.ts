import type { Command } from 'commander';

/** Options of a pool's settings. */
export const withSettings = (command: Command): Command =>
  command
    .option('--share <n>', "share of the platform's requests, relative to the shares of its other pools")
    .option('--refresh <policy>', 'by_change or fixed')
    .option('--refresh-min <duration>', 'shortest interval between readings of an account, as 6h')
    .option('--refresh-max <duration>', 'longest interval, as 7d')
    .option('--refresh-factor <n>', 'factor on all intervals')
    .option('--requests <n>', 'requests a day, which intervals by change follow; none for no target')
    .option('--cap <n>', 'most accounts that it takes')
    .option(
      '--schedule <cron>',
      'minutes in which it is crawled, in UTC, as "* 0-5 * * *"; always for no limit',
    )
    .option('--min-holders <n>', 'holders who have to ask for an account, of the rule demand');
