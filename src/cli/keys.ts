import { randomBytes } from 'node:crypto';
import Table from 'cli-table3';
import { Command } from 'commander';
import { isoOf, systemClock } from '../kernel/clock.ts';
import { UsageError } from '../kernel/errors.ts';
import { decideOn } from '../write/command.ts';
import { holderDecider } from '../write/holders/decide.ts';
import { holderStream, SCOPES, type Scope, scopeSchema } from '../write/holders/events.ts';
import { createKey, hashKey } from '../write/holders/key.ts';
import { issueKey, revokeKey } from '../write/holders/keys.ts';
import type { Plans } from '../write/metering/plans.ts';
import { loadPlans } from '../write/metering/plans-file.ts';
import { withProgram } from './command.ts';
import { readKeys } from './program/holders.ts';
import type { Program } from './program/open.ts';
import { projected } from './program/projected.ts';

const parseScopes = (text: string | undefined): readonly Scope[] | null => {
  if (text === undefined) return null;
  return text.split(',').map((name) => {
    const scope = scopeSchema.safeParse(name.trim());
    if (!scope.success) throw new UsageError(`"${name}" is no scope. The scopes are: ${SCOPES.join(', ')}`);
    return scope.data;
  });
};

/** Issues a key and returns it: the only time that it is to be seen. */
export const issue = async (
  program: Program,
  plans: Plans,
  holder: string,
  scopes: readonly Scope[] | null,
  label: string | null,
): Promise<{ readonly key: string; readonly keyId: string }> => {
  const now = systemClock.now();
  const key = createKey();
  const keyId = `key_${randomBytes(6).toString('hex')}`;
  const { outcome } = await decideOn(
    program.log,
    holderDecider,
    holderStream(holder),
    issueKey(holder, { keyId, hash: hashKey(key), scopes, label }, plans, isoOf(now)),
    { nowMs: now },
  );
  if (outcome !== null) await projected(program, outcome.position);
  return { key, keyId };
};

/** `sightline keys`: what the API is called with. */
export const keysCommand = (): Command => {
  const keys = new Command('keys').description('keys of the API').addHelpText(
    'after',
    `
A key is shown once, when it is issued: only its hash is kept.

Examples:
  sightline keys issue acme-research
  sightline keys issue acme-research --scopes accounts:read,directory:read --label "nightly job"
  sightline keys list acme-research
  sightline keys revoke key_0123456789ab`,
  );
  keys
    .command('issue')
    .argument('<holder>', 'id of the holder')
    .option('--scopes <list>', `scopes with commas between; every scope but leads:read where not given`)
    .option('--label <text>', 'what it is for')
    .option('--json', 'print JSON')
    .description('issue a key; prints it once')
    .action((holder: string, options: { scopes?: string; label?: string; json?: boolean }) =>
      withProgram(async (program) => {
        const { key, keyId } = await issue(
          program,
          await loadPlans(program.config),
          holder,
          parseScopes(options.scopes),
          options.label ?? null,
        );
        if (options.json === true) {
          console.log(JSON.stringify({ key_id: keyId, holder, key }));
          return;
        }
        console.log(key);
        process.stderr.write(`This is ${keyId} of ${holder}. Keep it now: it can't be shown again.\n`);
      }),
    );
  keys
    .command('list')
    .argument('[holder]', 'id of a holder; all of them where not given')
    .option('--json', 'print JSON')
    .description('list keys: never the keys themselves')
    .action((holder: string | undefined, options: { json?: boolean }) =>
      withProgram(async (program) => {
        const rows = await readKeys(program, holder ?? null);
        if (options.json === true) {
          console.log(JSON.stringify(rows, null, 2));
          return;
        }
        const table = new Table({
          head: ['key', 'holder', 'label', 'issued', 'revoked', 'scopes'],
          colWidths: [20, 20, 20, 26, 26, 50],
          wordWrap: true,
          style: { head: [], border: [] },
        });
        for (const row of rows) {
          table.push([
            row.key_id,
            row.holder,
            row.label ?? '',
            row.issued_at,
            row.revoked_at ?? '',
            row.scopes.join(' '),
          ]);
        }
        console.log(table.toString());
      }),
    );
  keys
    .command('revoke')
    .argument('<key>', 'id of the key, as `sightline keys list` shows it')
    .description('revoke a key: within a second no process takes it any more')
    .action((keyId: string) =>
      withProgram(async (program) => {
        const listed = (await readKeys(program, null)).find((row) => row.key_id === keyId);
        if (listed === undefined) {
          throw new UsageError(`There is no key ${keyId}. List them with: sightline keys list`);
        }
        const now = systemClock.now();
        const { outcome } = await decideOn(
          program.log,
          holderDecider,
          holderStream(listed.holder),
          revokeKey(keyId, isoOf(now)),
          { nowMs: now },
        );
        if (outcome !== null) await projected(program, outcome.position);
        console.log(outcome === null ? `${keyId} was revoked already.` : `${keyId} is revoked.`);
      }),
    );
  return keys;
};
