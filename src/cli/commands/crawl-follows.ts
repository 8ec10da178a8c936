import type { FollowDirection, FollowsResult } from '../../operations/crawl/read-follows.ts';
import { createProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import { withRuntime } from '../with-runtime.ts';

const HEAD = ['account', 'list', 'outcome', 'members', 'requests'];

const outcomeOf = ({ reading, account }: FollowsResult): string => {
  if (reading === null) return account ?? '';
  const { end } = reading;
  return end.status === 'unknown' ? `unknown: ${end.reason}` : end.status;
};

const rowOf = (result: FollowsResult): string[] => [
  `${result.platform}:${result.handle}`,
  result.direction,
  outcomeOf(result),
  (result.reading?.members ?? 0).toLocaleString('en'),
  String(result.reading?.requests ?? 0),
];

/** Whether the list, or the account, is proven to be as it was read. */
const isConclusive = ({ reading, account }: FollowsResult): boolean =>
  reading === null
    ? account?.startsWith('unknown') !== true
    : !['unknown', 'busy', 'stopped'].includes(reading.end.status);

/** What the command works with, loaded when it runs. */
const load = async () => ({
  ...(await import('../../operations/crawl/read-follows.ts')),
  ...(await import('../../runtime/crawler-http.ts')),
});

/** `sightline crawl --follows`: reads follower lists now. */
export const readFollows = (
  names: readonly string[],
  direction: FollowDirection,
  json: boolean,
  signal: AbortSignal,
): Promise<void> =>
  withRuntime(async (runtime) => {
    const { openHttp, openRegistry, parseListOwners, readFollowLists } = await load();
    const registry = openRegistry(runtime.config);
    const owners = parseListOwners(registry, names);
    const http = await openHttp(runtime, registry);
    const progress = createProgress(`read ${direction}`, 'members');
    const rows: string[][] = [];
    let isWhole = true;
    try {
      const options = { direction, http, signal, onProgress: progress.update };
      for await (const result of readFollowLists(runtime, owners, options)) {
        isWhole &&= isConclusive(result);
        if (json) console.log(JSON.stringify(result));
        else rows.push(rowOf(result));
        const end = result.reading?.end;
        if (end?.status === 'unknown')
          process.stderr.write(`${result.handle}: ${end.reason}: ${end.detail}\n`);
      }
    } finally {
      progress.end();
      await http.close();
      if (!json && rows.length > 0) console.log(renderTable(HEAD, rows));
    }
    if (signal.aborted) process.exitCode = 130;
    else if (!isWhole) process.exitCode = 1;
  });
