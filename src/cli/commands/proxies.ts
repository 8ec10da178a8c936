import { Command } from 'commander';
import { print, printJson } from '../../kernel/terminal.ts';
import type { ProxyListed } from '../../operations/proxies.ts';
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
  proxies
    .command('list')
    .description('list the proxies of PROXIES_FILE by platform, with those that are paused after failures')
    .option('--json', 'print JSON lines')
    .action((options: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { listProxies } = await import('../../operations/proxies.ts');
        const found = await listProxies(runtime);
        if (options.json === true) for (const one of found) printJson(one);
        else if (found.length === 0) print('PROXIES_FILE is unset or empty: platforms are read directly.');
        else print(renderTable(HEAD, found.map(rowOf)));
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
