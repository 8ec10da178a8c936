import { cursorSecrets, verificationSecrets } from '../write/secrets.ts';
import type { OperationsContext } from './context.ts';

export type SecretPurpose = (typeof SECRET_PURPOSES)[number];

/**
 * Creates a new secret. Cursors sealed with the old one stay valid for 24 hours, and ownership codes made with it for 8
 * days.
 * @param endsOthers whether to invalidate the old secrets at once, as after a theft.
 */
export const rotateSecrets = (
  { db }: Pick<OperationsContext, 'db'>,
  purpose: SecretPurpose,
  endsOthers: boolean,
): Promise<void> => SECRETS[purpose].rotate(db, endsOthers);

/** What secrets are for. */
const SECRET_PURPOSES = ['cursors', 'verification'] as const;

const SECRETS = { cursors: cursorSecrets, verification: verificationSecrets };
