import { cursorSecrets, verificationSecrets } from '../write/secrets/rotating-secrets.ts';
import type { OperationsContext } from './context.ts';

export type SecretPurpose = (typeof SECRET_PURPOSES)[number];

/**
 * Makes a new secret. What the old one made stays valid: cursors for 24 hours, ownership codes for 8 days; unless the old ones are
 * ended, as after a theft.
 */
export const rotateSecrets = (
  { db }: Pick<OperationsContext, 'db'>,
  purpose: SecretPurpose,
  endsOthers: boolean,
): Promise<void> => SECRETS[purpose].rotate(db, endsOthers);

/** What secrets are for. */
const SECRET_PURPOSES = ['cursors', 'verification'] as const;

const SECRETS = { cursors: cursorSecrets, verification: verificationSecrets };
