import { Command } from 'commander';
import type { ProxyListed } from '../../operations/proxies.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { renderTable } from '../render/table.ts';
import { withRuntime } from '../with-runtime.ts';

/** `sightline proxies`: the proxies of PROXIES_FILE. */
export const proxiesCommand = (): Command => {
  const proxies = new Command('proxies')
    .description('list the proxies that requests to platforms go through')
    .addHelpText(
      'after',
      `
Example:
  PROXIES_FILE=proxies.yaml sightline proxies list

docs/platforms.md describes the file.`,
    );
  listing(proxies.command('list'))
    .description('list the proxies of PROXIES_FILE by platform, with those that are paused after failures')
    .action((options: Output) =>
      withRuntime(async (runtime) => {
        const { listProxies } = await import('../../operations/proxies.ts');
        const found = await listProxies(runtime);
        const empty = 'PROXIES_FILE is unset or empty: platforms are read directly.';
        const table = (width: number) => renderTable(HEAD, found.map(rowOf), { width });
        printList(options, found, { table, empty }, 'lines');
      }),
    );
  return proxies;
};

const HEAD = ['name', 'platform', 'state', 'failures', 'reason'];

const rowOf = ({ name, platform, resting_until, failures, reason }: ProxyListed): string[] => [
  name,
  platform,
  resting_until === null ? 'usable' : `resting until ${resting_until.slice(0, 16).replace('T', ' ')}`,
  String(failures),
  reason ?? '',
];
