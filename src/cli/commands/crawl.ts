import { Command, Option } from 'commander';
import { PLATFORMS } from '../../kernel/platform-names.ts';
import { print, printJson, writeError } from '../../kernel/terminal.ts';
import type { AccountReading } from '../../operations/crawl/read-accounts.ts';
import type { FollowDirection, FollowsResult } from '../../operations/crawl/read-follows.ts';
import { createProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import { recorded, stopSignal, withRuntime } from '../with-runtime.ts';

/** `sightline crawl`: reads accounts now. */
export const crawlCommand = (): Command =>
  recorded(new Command('crawl'))
    .description('read accounts now, record the readings, and print them')
    .argument('[platform]', PLATFORMS.join(', '))
    .argument('[handle...]', 'handles or addresses of profiles')
    .option('--follows <platform:handle...>', 'read follower lists of these accounts instead')
    .addOption(
      new Option('--direction <direction>', 'list to read with --follows')
        .choices(['followers', 'following'])
        .default('followers'),
    )
    .option('--json', 'print the complete readings as JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  sightline crawl bluesky bsky.app
  SIMULATOR_URL=http://127.0.0.1:8090 sightline crawl x nora.quill --json
  sightline crawl --follows bluesky:bsky.app x:nasa --direction following

Follower lists are read page by page, up to FOLLOWS_MOST members. To resume an interrupted list, repeat the
command. FOLLOWS_REQUESTS_PER_DAY limits the requests of all processes together.`,
    )
    .action((platform: string | undefined, names: string[], options: Options, command: Command) => {
      if (options.follows !== undefined) {
        if (platform !== undefined)
          command.error('error: name accounts with --follows or as arguments, not both');
        return readFollows(options.follows, options.direction, options.json === true, stopSignal());
      }
      if (command.getOptionValueSource('direction') === 'cli')
        command.error('error: --direction needs --follows, which names the accounts whose lists are read');
      if (platform === undefined || names.length === 0) command.error("error: missing argument 'handle'");
      return withRuntime(async (runtime) => {
        const { openHttp, openRegistry, parsePlatform, readAccounts } = await load();
        const registry = openRegistry(runtime);
        const adapter = registry.adapterOf(parsePlatform(platform));
        const http = await openHttp(runtime, registry);
        const rows: string[][] = [];
        let unknown = 0;
        try {
          for await (const one of readAccounts(runtime, adapter, http, names)) {
            const { reading, handle } = one;
            if (options.json === true)
              printJson({ platform: one.platform, handle, ...reading, events: one.events });
            else rows.push(rowOf(one));
            if (reading.status === 'unknown') {
              unknown += 1;
              writeError(`${handle}: ${reading.reason}: ${reading.detail}\n`);
            }
            for (const warning of reading.warnings) writeError(`${handle}: ${warning}\n`);
          }
        } finally {
          await http.close();
        }
        if (options.json !== true) print(renderTable(HEAD, rows));
        if (unknown > 0) process.exitCode = 1;
      });
    });

const HEAD = ['handle', 'status', 'name', 'followers', 'posts read', 'surface', 'events kept'];

const number = (value: number | null): string => (value === null ? '?' : value.toLocaleString('en'));

const rowOf = ({ handle, reading, events }: AccountReading): string[] => {
  if (reading.status === 'unknown')
    return [handle, `unknown: ${reading.reason}`, '', '', '', reading.surface, '0'];
  const seen = reading.status === 'present' || reading.status === 'private' ? reading : null;
  return [
    handle,
    reading.status,
    seen?.profile.display_name ?? '',
    seen === null ? '' : number(seen.profile.followers),
    seen === null || seen.posts === null ? '' : String(seen.posts.length),
    reading.surface,
    String(events),
  ];
};

interface Options {
  readonly json?: boolean;
  readonly follows?: string[];
  readonly direction: 'followers' | 'following';
}

/** Modules of the command, loaded when it runs. */
const load = async () => ({
  ...(await import('../../operations/crawl/read-accounts.ts')),
  ...(await import('../../operations/crawl/read-follows.ts')),
  ...(await import('../../runtime/crawler-http.ts')),
});

const LIST_HEAD = ['account', 'list', 'outcome', 'members', 'requests'];

const outcomeOf = ({ reading, account }: FollowsResult): string => {
  if (reading === null) return account ?? '';
  const { end } = reading;
  return end.status === 'unknown' ? `unknown: ${end.reason}` : end.status;
};

const listRowOf = (result: FollowsResult): string[] => [
  `${result.platform}:${result.handle}`,
  result.direction,
  outcomeOf(result),
  (result.reading?.members ?? 0).toLocaleString('en'),
  String(result.reading?.requests ?? 0),
];

/** Whether the reading of the list, or of its account, was conclusive. */
const isConclusive = ({ reading, account }: FollowsResult): boolean =>
  reading === null
    ? account?.startsWith('unknown') !== true
    : !['unknown', 'busy', 'stopped'].includes(reading.end.status);

/** `sightline crawl --follows`: reads follower lists now. */
const readFollows = (
  names: readonly string[],
  direction: FollowDirection,
  json: boolean,
  signal: AbortSignal,
): Promise<void> =>
  withRuntime(async (runtime) => {
    const { openHttp, openRegistry, parseListOwners, readFollowLists } = await load();
    const registry = openRegistry(runtime);
    const owners = parseListOwners(registry, names);
    const http = await openHttp(runtime, registry);
    const progress = createProgress(`read ${direction}`, 'members');
    const rows: string[][] = [];
    let isWhole = true;
    try {
      const options = { direction, http, signal, onProgress: progress.update };
      for await (const result of readFollowLists(runtime, owners, options)) {
        isWhole &&= isConclusive(result);
        if (json) printJson(result);
        else rows.push(listRowOf(result));
        const end = result.reading?.end;
        if (end?.status === 'unknown') writeError(`${result.handle}: ${end.reason}: ${end.detail}\n`);
      }
    } finally {
      progress.end();
      await http.close();
      if (!json && rows.length > 0) print(renderTable(LIST_HEAD, rows));
    }
    if (signal.aborted) process.exitCode = 130;
    else if (!isWhole) process.exitCode = 1;
  });
