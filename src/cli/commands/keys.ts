import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { isoOf } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors/codes.ts';
import type { Runtime } from '../../runtime/open-runtime.ts';
import { createKey, hashKey } from '../../write/holders/api-key.ts';
import type { Scope } from '../../write/holders/events.ts';
import type { Plans } from '../../write/metering/plans.ts';
import { durationMs } from '../parse/parse-duration.ts';
import { keyTable } from '../render/key-table.ts';
import { withRuntime } from '../with-runtime.ts';

/** What the commands work with, loaded when one runs. */
const load = async () => ({
  ...(await import('../../write/holders/events.ts')),
  ...(await import('../../write/holders/key-commands.ts')),
  ...(await import('../../write/metering/load-plans.ts')),
  ...(await import('../../operations/holders/read-holders.ts')),
});

const parseScopes = async (texts: readonly string[]): Promise<readonly Scope[]> => {
  const { SCOPES, scopeSchema } = await load();
  return texts
    .flatMap((text) => text.split(','))
    .map((name) => {
      const scope = scopeSchema.safeParse(name.trim());
      if (!scope.success)
        throw new OperatorError(`"${name}" is no scope. The scopes are: ${SCOPES.join(', ')}`);
      return scope.data;
    });
};

const newKey = () => {
  const key = createKey();
  return { key, keyId: `key_${randomBytes(6).toString('hex')}`, hash: hashKey(key) };
};

interface IssuedKey {
  readonly key: string;
  readonly keyId: string;
}

/**
 * Issues a key and returns it: the only time that it is to be seen.
 * @param onIssued told the key as soon as it is one, though it may take a while until it is good.
 */
export const issue = async (
  runtime: Runtime,
  plans: Plans,
  holder: string,
  scopes: readonly Scope[] | null,
  label: string | null,
  onIssued: (issued: IssuedKey) => void = () => undefined,
): Promise<IssuedKey> => {
  const { changeHolder, issueKey } = await load();
  const { key, keyId, hash } = newKey();
  await changeHolder(
    runtime,
    holder,
    (at) => issueKey(holder, { keyId, hash, scopes, label }, plans, at),
    () => onIssued({ key, keyId }),
  );
  return { key, keyId };
};

/** Who holds a key. @throws {OperatorError} where there is none of that id. */
const holderOf = async (runtime: Runtime, keyId: string): Promise<string> => {
  const { readKey } = await load();
  const key = await readKey(runtime, keyId);
  if (key === null) throw new OperatorError(`There is no key ${keyId}. List them with: sightline keys list`);
  return key.holder;
};

/** What a command that changes a key says of it afterwards. */
const sayKey = async (runtime: Runtime, keyId: string, changed: boolean): Promise<void> => {
  const { readKey } = await load();
  const key = await readKey(runtime, keyId);
  if (key === null) return;
  if (!changed) console.log('Nothing has changed.');
  console.log(`${keyId} is good from ${key.allowlist.join(' ') || 'anywhere'}, for ${key.scopes.join(' ')}`);
};

const KEY = ['<key>', 'id of the key, as `sightline keys list` shows it'] as const;

/** `sightline keys`: what the API is called with. */
export const keysCommand = (): Command => {
  const keys = new Command('keys').description('keys of the API').addHelpText(
    'after',
    `
A key is shown once, when it is issued or rotated: only its hash is kept.

Examples:
  sightline keys issue acme-research
  sightline keys issue acme-research --scopes accounts:read,directory:read --label "nightly job"
  sightline keys list acme-research
  sightline keys rotate key_0123456789ab --grace 24h
  sightline keys pin key_0123456789ab 203.0.113.7 2001:db8::/32
  sightline keys grant key_0123456789ab leads:read
  sightline keys revoke key_0123456789ab`,
  );
  keys
    .command('issue')
    .argument('<holder>', 'id of the holder')
    .option('--scopes <list>', 'scopes with commas between; all of the plan but leads:read where not given')
    .option('--label <text>', 'what it is for')
    .option('--json', 'print JSON')
    .description('issue a key; prints it once')
    .action((holder: string, options: { scopes?: string; label?: string; json?: boolean }) =>
      withRuntime(async (runtime) => {
        const scopes = options.scopes === undefined ? null : await parseScopes([options.scopes]);
        const { loadPlans } = await load();
        const plans = await loadPlans(runtime.config);
        await issue(runtime, plans, holder, scopes, options.label ?? null, ({ key, keyId }) => {
          if (options.json === true) {
            console.log(JSON.stringify({ key_id: keyId, holder, key }));
            return;
          }
          console.log(key);
          process.stderr.write(`This is ${keyId} of ${holder}. Keep it now: it can't be shown again.\n`);
        });
      }),
    );
  keys
    .command('list')
    .argument('[holder]', 'id of a holder; all of them where not given')
    .option('--json', 'print JSON')
    .description('list keys: never the keys themselves')
    .action((holder: string | undefined, options: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { readHolder, readKeys } = await load();
        if (holder !== undefined && (await readHolder(runtime, holder)) === null)
          throw new OperatorError(`There is no holder ${holder}. List them with: sightline holders list`);
        const rows = await readKeys(runtime, holder ?? null);
        console.log(options.json === true ? JSON.stringify(rows, null, 2) : keyTable(rows));
      }),
    );
  keys
    .command('rotate')
    .argument(...KEY)
    .option('--grace <duration>', 'how long the old key stays good: 90s, 15m, 24h, 7d, 30d at most', '0s')
    .option('--json', 'print JSON')
    .description('replace a key by a new one with the same scopes and pins; prints it once')
    .action((keyId: string, options: { grace: string; json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { changeHolder, rotateKey } = await load();
        const graceMs = durationMs(options.grace);
        if (graceMs === null)
          throw new OperatorError(
            `--grace is "${options.grace}"; allowed: a duration as 90s, 15m, 24h or 7d`,
          );
        const holder = await holderOf(runtime, keyId);
        const { key, ...successor } = newKey();
        let until = '';
        const show = () => {
          if (options.json === true) {
            const old = { key_id: keyId, expires_at: until };
            console.log(JSON.stringify({ key_id: successor.keyId, holder, key, replaces: old }));
            return;
          }
          console.log(key);
          process.stderr.write(
            `This is ${successor.keyId} of ${holder}. Keep it now: it can't be shown again.\n` +
              `${keyId} ${graceMs === 0 ? 'is good no more' : `is good until ${until}`}.\n`,
          );
        };
        const decisionAt = (at: string) => {
          until = isoOf(Date.parse(at) + graceMs);
          return rotateKey(keyId, successor, graceMs, at);
        };
        await changeHolder(runtime, holder, decisionAt, show);
      }),
    );
  keys
    .command('revoke')
    .argument(...KEY)
    .description('revoke a key: within a second no process takes it any more')
    .action((keyId: string) =>
      withRuntime(async (runtime) => {
        const { changeHolder, revokeKey } = await load();
        const events = await changeHolder(runtime, await holderOf(runtime, keyId), (at) =>
          revokeKey(keyId, at),
        );
        console.log(events.length === 0 ? `${keyId} was revoked already.` : `${keyId} is revoked.`);
      }),
    );
  keys
    .command('pin')
    .argument(...KEY)
    .argument('<cidr...>', 'addresses or networks, as 203.0.113.7 or 2001:db8::/32')
    .description('let a key be used from these addresses only; they replace what it was pinned to')
    .action((keyId: string, cidrs: readonly string[]) =>
      withRuntime(async (runtime) => {
        const { changeHolder, loadPlans, pinKey } = await load();
        const plans = await loadPlans(runtime.config);
        const holder = await holderOf(runtime, keyId);
        const events = await changeHolder(runtime, holder, (at) => pinKey(holder, keyId, cidrs, plans, at));
        await sayKey(runtime, keyId, events.length > 0);
      }),
    );
  keys
    .command('unpin')
    .argument(...KEY)
    .description('let a key be used from anywhere again')
    .action((keyId: string) =>
      withRuntime(async (runtime) => {
        const { changeHolder, unpinKey } = await load();
        const holder = await holderOf(runtime, keyId);
        const events = await changeHolder(runtime, holder, (at) => unpinKey(keyId, at));
        await sayKey(runtime, keyId, events.length > 0);
      }),
    );
  keys
    .command('grant')
    .argument(...KEY)
    .argument('<scope...>', 'scopes to add')
    .description('give a key more scopes of its plan')
    .action((keyId: string, names: readonly string[]) =>
      withRuntime(async (runtime) => {
        const { changeHolder, grantScopes, loadPlans } = await load();
        const scopes = await parseScopes(names);
        const plans = await loadPlans(runtime.config);
        const holder = await holderOf(runtime, keyId);
        const events = await changeHolder(runtime, holder, (at) =>
          grantScopes(holder, keyId, scopes, plans, at),
        );
        await sayKey(runtime, keyId, events.length > 0);
      }),
    );
  keys
    .command('ungrant')
    .argument(...KEY)
    .argument('<scope...>', 'scopes to take away')
    .description('take scopes from a key')
    .action((keyId: string, names: readonly string[]) =>
      withRuntime(async (runtime) => {
        const { changeHolder, ungrantScopes } = await load();
        const scopes = await parseScopes(names);
        const holder = await holderOf(runtime, keyId);
        const events = await changeHolder(runtime, holder, (at) => ungrantScopes(keyId, scopes, at));
        await sayKey(runtime, keyId, events.length > 0);
      }),
    );
  return keys;
};
