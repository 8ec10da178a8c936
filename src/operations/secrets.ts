import { systemClock } from '../kernel/clock.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import { cursorSecrets, recordAct, secretStream, verificationSecrets } from '../write/secrets.ts';
import type { OperationsContext } from './context.ts';

export type SecretPurpose = (typeof SECRET_PURPOSES)[number];

/**
 * Creates a new secret. Cursors sealed with the old one stay valid for 24 hours, and ownership codes made with it for 8
 * days.
 * @param endsOthers whether to invalidate the old secrets at once, as after a theft.
 */
export const rotateSecrets = (
  { db, log }: Pick<OperationsContext, 'db' | 'log'>,
  purpose: SecretPurpose,
  endsOthers: boolean,
): Promise<void> =>
  inTransaction(db, async (client) => {
    await SECRETS[purpose].rotate(client, endsOthers);
    const act = { type: 'SecretRotated', data: { ends_others: endsOthers } } as const;
    await recordAct(log, secretStream(purpose), act, systemClock.now());
  });

/** What secrets are for. */
const SECRET_PURPOSES = ['cursors', 'verification'] as const;

const SECRETS = { cursors: cursorSecrets, verification: verificationSecrets };
