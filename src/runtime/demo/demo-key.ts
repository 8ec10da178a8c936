import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { addHolder } from '../../operations/holders/holders.ts';
import { grantScopes, issueKey } from '../../operations/holders/keys.ts';
import { activePlans, setPlan } from '../../operations/holders/plans.ts';
import { createKeyReads } from '../../read/holders/keys.ts';
import { hashKey, isKey } from '../../write/holders/api-key.ts';
import { NAMED_ONLY, type Scope } from '../../write/holders/events.ts';
import type { Service } from '../service.ts';

/** Names of the demo's holders: one for its user, one for its own calls, which use up no units of the user's. */
const HOLDERS = { demo: 'Demo', 'demo-start': 'Start of the demo' } as const;
export type DemoHolder = keyof typeof HOLDERS;

export const keyFileOf = ({ runtime }: Service, holder: DemoHolder): string =>
  join(runtime.config.SIGHTLINE_HOME, `${holder}-key`);

/** Grants a key of the demo what has to be named, also a key that an earlier demo issued without it. */
const grantLeads = async ({ runtime }: Service, plan: string, keyId: string): Promise<void> => {
  const plans = await activePlans(runtime.config);
  const isIncluded = plans.all.find(({ name }) => name === plan)?.scopes.includes('leads:read') === true;
  if (isIncluded) await grantScopes(runtime, keyId, ['leads:read']);
};

/** A key, and what it may call. */
export interface DemoKey {
  readonly key: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** The key of one of the demo's holders; the previous run's if it is still valid. */
export const demoKey = async (service: Service, holder: DemoHolder): Promise<DemoKey> => {
  const { runtime } = service;
  const file = keyFileOf(service, holder);
  const plans = await activePlans(runtime.config);
  // The highest active plan: the demo shows everything.
  const { name: plan, scopes: included } = plans.all.at(-1) ?? plans.default;
  await addHolder(runtime, { name: HOLDERS[holder], id: holder, plan }).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || error.code !== 'holder_exists') throw error;
  });
  await setPlan(runtime, { holder, plan, revokeSurplus: true });
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  const known = isKey(kept) ? await createKeyReads(runtime.db, service.builds).find(hashKey(kept)) : null;
  if (known !== null && !known.revoked && known.endsAtMs === null) {
    await grantLeads(service, plan, known.keyId);
    const granted = new Set([...known.scopes, ...NAMED_ONLY]);
    return { key: kept, scopes: new Set(included.filter((scope) => granted.has(scope))) };
  }
  const { key, keyId } = await issueKey(runtime, { holder, scopes: null, label: holder });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  await grantLeads(service, plan, keyId);
  return { key, scopes: new Set(included) };
};
