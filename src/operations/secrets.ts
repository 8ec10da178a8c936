import { cursorSecrets, verificationSecrets } from '../write/secrets.ts';
import type { OperationsContext } from './context.ts';

/** What secrets are for. */
export const SECRET_PURPOSES = ['cursors', 'verification'] as const;

export type SecretPurpose = (typeof SECRET_PURPOSES)[number];

const SECRETS = { cursors: cursorSecrets, verification: verificationSecrets };

/**
 * Makes a new secret. What the old one made stays valid: cursors for 24 hours, ownership codes for 8 days; unless the old ones are
 * ended, as after a theft.
 */
export const rotateSecrets = (
  { db }: Pick<OperationsContext, 'db'>,
  purpose: SecretPurpose,
  endsOthers: boolean,
): Promise<void> => SECRETS[purpose].rotate(db, endsOthers);
