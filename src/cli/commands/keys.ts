import { Command } from 'commander';
import { durationMs } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { print, printJson, writeError } from '../../kernel/terminal.ts';
import type { IssuedKey, KeyChange } from '../../operations/holders/keys.ts';
import { untilArg } from '../parse/args.ts';
import { keyTable } from '../render/key-table.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline keys`: what the API is called with. */
export const keysCommand = (): Command => {
  const keys = new Command('keys').description('manage API keys').addHelpText(
    'after',
    `
A key is shown only once, when it is issued or rotated: Sightline keeps only its hash.

Examples:
  sightline keys issue acme-research
  sightline keys issue acme-research --scopes accounts:read,directory:read --label "nightly job"
  sightline keys list acme-research
  sightline keys rotate key_0123456789ab --grace 24h
  sightline keys pin key_0123456789ab 203.0.113.7 2001:db8::/32
  sightline keys grant key_0123456789ab leads:read
  sightline keys revoke key_0123456789ab`,
  );
  recorded(keys.command('issue'))
    .argument('<holder>', 'id of the holder')
    .option('--scopes <list>', 'scopes separated by commas; default: all of the plan except leads:read')
    .option('--label <text>', 'what the key is for')
    .option(
      '--expires <time>',
      'when it ends by itself: a date such as 2027-03-31, or after 90d; default: never',
    )
    .option('--json', 'print JSON')
    .description('issue a key; prints it once')
    .action(
      (holder: string, options: { scopes?: string; label?: string; expires?: string; json?: boolean }) =>
        withRuntime(async (runtime) => {
          const { issueKey, parseScopes } = await load();
          const scopes = options.scopes === undefined ? null : parseScopes(named([options.scopes]));
          const expiresAtMs = options.expires === undefined ? null : untilArg(options.expires);
          await issueKey(runtime, { holder, scopes, label: options.label ?? null, expiresAtMs }, (issued) => {
            if (options.json !== true) printKey(issued);
            else printJson({ key_id: issued.keyId, holder, key: issued.key });
          });
        }),
    );
  listing(keys.command('list'))
    .argument('[holder]', 'id of a holder; all by default')
    .description('list keys with their ids, never the keys themselves')
    .action((holder: string | undefined, options: Output) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listKeys(runtime, holder ?? null);
        printList(options, rows, { table: (width) => keyTable(rows, width) });
      }),
    );
  recorded(keys.command('rotate'))
    .argument(...KEY)
    .option('--grace <duration>', 'how long the old key stays valid: 90s, 15m, 24h, 7d; at most 30d', '0s')
    .option('--json', 'print JSON')
    .description('replace a key with a new one that has the same scopes and allowlist; prints it once')
    .action((keyId: string, options: { grace: string; json?: boolean }) =>
      withRuntime(async (runtime) => {
        const graceMs = durationMs(options.grace);
        if (graceMs === null) {
          throw new OperatorError(
            'grace_invalid',
            `--grace is "${options.grace}"; allowed: a duration such as 90s, 15m, 24h or 7d`,
          );
        }
        const { rotateKey } = await load();
        await rotateKey(runtime, { keyId, graceMs }, ({ replaces, ...rotated }) => {
          if (options.json === true) {
            const old = { key_id: replaces.keyId, expires_at: replaces.expiresAt };
            const { holder, key } = rotated;
            printJson({ key_id: rotated.keyId, holder, key, replaces: old });
          } else {
            const until = graceMs === 0 ? 'no longer valid' : `valid until ${replaces.expiresAt}`;
            printKey(rotated, `${keyId} is ${until}.\n`);
          }
        });
      }),
    );
  recorded(keys.command('revoke'))
    .argument(...KEY)
    .description('revoke a key; every process rejects it within a second')
    .action((keyId: string) =>
      withRuntime(async (runtime) => {
        const { changed } = await (await load()).revokeKey(runtime, keyId);
        print(changed ? `${keyId} is revoked.` : `${keyId} was revoked already.`);
      }),
    );
  recorded(keys.command('pin'))
    .argument(...KEY)
    .argument('<cidr...>', 'addresses or networks, such as 203.0.113.7 or 2001:db8::/32')
    .description('replace the allowlist of a key: accept it from these addresses only')
    .action((keyId: string, cidrs: readonly string[]) =>
      withRuntime(async (runtime) => printChange(await (await load()).pinKey(runtime, keyId, cidrs))),
    );
  recorded(keys.command('unpin'))
    .argument(...KEY)
    .description('remove the allowlist of a key: accept it from every address')
    .action((keyId: string) =>
      withRuntime(async (runtime) => printChange(await (await load()).unpinKey(runtime, keyId))),
    );
  recorded(keys.command('grant'))
    .argument(...KEY)
    .argument('<scope...>', 'scopes to add')
    .description('add scopes to a key; the plan must include them')
    .action((keyId: string, scopes: readonly string[]) =>
      withRuntime(async (runtime) => {
        const { grantScopes, parseScopes } = await load();
        printChange(await grantScopes(runtime, keyId, parseScopes(named(scopes))));
      }),
    );
  recorded(keys.command('ungrant'))
    .argument(...KEY)
    .argument('<scope...>', 'scopes to remove')
    .description('remove scopes from a key')
    .action((keyId: string, scopes: readonly string[]) =>
      withRuntime(async (runtime) => {
        const { parseScopes, ungrantScopes } = await load();
        printChange(await ungrantScopes(runtime, keyId, parseScopes(named(scopes))));
      }),
    );
  return keys;
};

/** Modules of the commands, loaded when one runs. */
const load = () => import('../../operations/holders/keys.ts');

/** Lists of scopes as people type them, separated by commas or spaces. */
const named = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split(',')).map((name) => name.trim());

/** The key alone on standard output, so that it can be piped; what it is, on standard error. */
const printKey = ({ holder, keyId, key }: IssuedKey, more = ''): void => {
  print(key);
  writeError(`This is ${keyId} of ${holder}. Store it now: it can't be shown again.\n${more}`);
};

const printChange = ({ changed, key }: KeyChange): void => {
  if (!changed) print('Nothing has changed.');
  print(
    `${key.key_id} is accepted from ${key.allowlist.join(' ') || 'every address'}, for ${key.scopes.join(' ')}`,
  );
};

const KEY = ['<key>', 'id of the key, as `sightline keys list` shows it'] as const;
