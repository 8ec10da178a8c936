import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import { print, writeError } from '../../kernel/terminal.ts';
import type { SessionListed } from '../../operations/sessions/sessions.ts';
import type { Runtime } from '../../runtime/open-runtime.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { renderTable, terminalWidth } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline sessions`: sessions of platforms, encrypted with SESSIONS_KEY. */
export const sessionsCommand = (): Command => {
  const sessions = new Command('sessions')
    .description('manage logged-in sessions, for data that platforms hide from strangers')
    .addHelpText(
      'after',
      `
Examples:
  export SESSIONS_KEY="$(openssl rand -base64 32)"
  sightline sessions add x --label first --file session.json
  sightline sessions test first
  sightline sessions list
  sightline sessions remove first

docs/platforms.md describes sessions.`,
    );
  recorded(sessions.command('add'))
    .description('store a session, encrypted; its credentials are read from a file or standard input')
    .argument('<platform>', 'x')
    .requiredOption('--label <label>', 'name of the session, such as first')
    .option(
      '--file <file>',
      'file with the credentials, as JSON or name=value lines; default: standard input',
    )
    .option('--proxy <name>', 'proxy of PROXIES_FILE through which all its requests are sent')
    .addHelpText(
      'after',
      `
Credentials of x: bearer_token with guest_token, or with auth_token and ct0.

Examples:
  sightline sessions add x --label first --file session.json
  sightline sessions add x --label second --proxy eu1 < session.txt`,
    )
    .action((platform: string, options: { label: string; file?: string; proxy?: string }) =>
      withRuntime(async (runtime) => {
        const { addSession, keyring, parsePlatform, registry } = await open(runtime);
        const id = await addSession(runtime, keyring, registry, {
          platform: parsePlatform(platform),
          label: options.label,
          proxy: options.proxy ?? null,
          text: await readCredentials(options.file),
        });
        print(`${id} is stored. Running processes that have SESSIONS_KEY use it within a second.`);
        print(`Test it with: sightline sessions test ${options.label}`);
      }),
    );
  listing(sessions.command('list'))
    .description('list sessions and their usage, never their credentials')
    .action((options: Output) =>
      withRuntime(async (runtime) => {
        const { keyring, listSessions } = await open(runtime);
        const found = await listSessions(runtime, keyring);
        const empty = 'No session is stored. Add one with: sightline sessions add';
        printList(options, found, { table: (width) => sessionsTable(found, width), empty }, 'lines');
      }),
    );
  recorded(sessions.command('test'))
    .description('send one request with a session; if the platform accepts it, the session is used again')
    .argument('<session>', 'id or label')
    .action((name: string) =>
      withRuntime(async (runtime) => {
        const { findSession, keyring, openHttp, registry, testSession } = await open(runtime);
        const session = await findSession(runtime, name);
        const http = await openHttp(runtime, registry);
        try {
          const adapter = registry.adapterOf(session.platform);
          const { verdict, detail } = await testSession(runtime, keyring, adapter, http, session);
          print(`${verdict}: ${detail}`);
          if (verdict !== 'accepted') process.exitCode = 1;
        } finally {
          await http.close();
        }
      }),
    );
  recorded(sessions.command('remove'))
    .description('delete a session; running processes stop using it within a second')
    .argument('<session>', 'id or label')
    .action((name: string) =>
      withRuntime(async (runtime) => {
        const { removeSession } = await open(runtime);
        const { id, platform } = await removeSession(runtime, name);
        print(`${id} of ${platform} is deleted.`);
      }),
    );
  recorded(sessions.command('rekey'))
    .description('encrypt all sessions with the first key of SESSIONS_KEY')
    .addHelpText(
      'after',
      `
To replace the key: set SESSIONS_KEY for every process to the new and the old key, separated by a comma; run this
command; then remove the old key from SESSIONS_KEY.

Example:
  SESSIONS_KEY="$NEW,$OLD" sightline sessions rekey`,
    )
    .action(() =>
      withRuntime(async (runtime) => {
        const { keyring, rekeySessions } = await open(runtime);
        const n = await rekeySessions(runtime, keyring);
        print(`${n} session${n === 1 ? ' was' : 's were'} encrypted with the first key of SESSIONS_KEY.`);
      }),
    );
  return sessions;
};

/** A table of sessions, and below it the requests that they have used; never their credentials. */
export const sessionsTable = (sessions: readonly SessionListed[], width = terminalWidth()): string => {
  const table = renderTable(HEAD, sessions.map(rowOf), { width });
  const uses = sessions.flatMap(usesOf);
  if (uses.length === 0) return table;
  return `${table}\n\nRequests of the running windows\n${renderTable(USE_HEAD, uses, { width })}`;
};

/**
 * Credentials from a file or standard input: never from arguments, which other users of the machine can see.
 * @throws {OperatorError} `file_unusable`; `session_invalid` if there is more than 64 KiB.
 */
export const readCredentials = async (file: string | undefined): Promise<string> => {
  if (file === undefined) {
    if (process.stdin.isTTY)
      writeError('Paste the credentials as JSON or lines of name=value, then press Ctrl-D.\n');
    return readBounded('The input', process.stdin);
  }
  try {
    return await readBounded(file, createReadStream(file));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      'file_unusable',
      `${file} can't be read: ${errorMessage(error)}. Give --file the path of a file with the credentials.`,
      { cause: error },
    );
  }
};

/** Modules of the commands, loaded when one runs. */
const load = async () => ({
  ...(await import('../../operations/crawl/read-accounts.ts')),
  ...(await import('../../operations/sessions/sessions.ts')),
  ...(await import('../../runtime/crawler-http.ts')),
});

const open = async (runtime: Runtime) => {
  const loaded = await load();
  return {
    ...loaded,
    keyring: loaded.keyringOf(runtime.config),
    registry: loaded.openRegistry(runtime),
  };
};

/** An instant to the minute, for people. */
const minute = (instant: string | null): string =>
  instant === null ? '' : instant.slice(0, 16).replace('T', ' ');

const stateOf = ({ status, resting_until, reason }: SessionListed): string => {
  if (status === 'resting') return `resting until ${minute(resting_until)}`;
  return status === 'retired' ? `retired: ${reason ?? 'rejected'}` : status;
};

const HEAD = [{ head: 'id', keep: true }, 'platform', 'label', 'proxy', 'state', 'last used'];

const rowOf = (session: SessionListed): string[] => [
  session.id,
  session.platform,
  session.label,
  session.proxy ?? '',
  stateOf(session),
  minute(session.last_used_at),
];

const USE_HEAD = ['session', 'operation', 'used', 'of', 'until'];

const usesOf = ({ label, operations }: SessionListed): string[][] =>
  operations.map(({ operation, used, capacity, resets_at, resting_until }) => [
    label,
    operation,
    resting_until === null ? String(used) : 'resting',
    capacity === null ? '?' : capacity.toLocaleString('en'),
    minute(resting_until ?? resets_at),
  ]);

const MAX_BYTES = 64 * 1024;

const readBounded = async (name: string, chunks: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new OperatorError('session_invalid', `${name} is larger than 64 KiB, too large for credentials.`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString();
};
