import { Argument, Command } from 'commander';
import { print } from '../../kernel/terminal.ts';
import type { SecretPurpose } from '../../operations/secrets.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline secrets`: what seals cursors and makes ownership codes. */
export const secretsCommand = (): Command => {
  const secrets = new Command('secrets')
    .description('rotate the secrets that seal cursors and sign ownership codes')
    .addHelpText(
      'after',
      `
Examples:
  sightline secrets rotate
  sightline secrets rotate verification
  sightline secrets rotate --now            # after a backup was stolen`,
    );
  recorded(secrets.command('rotate'))
    .description('create a new secret; the old one stays valid for a while')
    .addArgument(
      new Argument('[purpose]', 'what the secret is for').choices(Object.keys(DONE)).default('cursors'),
    )
    .option(
      '--now',
      'also invalidate the old secrets, and with them all cursors or codes that they sealed or signed',
      false,
    )
    .action((purpose: SecretPurpose, { now }: { now: boolean }) =>
      withRuntime(async (runtime) => {
        const { rotateSecrets } = await import('../../operations/secrets.ts');
        await rotateSecrets(runtime, purpose, now);
        print(`${(now ? ENDED : DONE)[purpose]} Running processes use it within 5 seconds.`);
      }),
    );
  return secrets;
};

const DONE: Readonly<Record<SecretPurpose, string>> = {
  cursors: 'Cursors are sealed with a new secret; those of the old one stay valid for 24 hours.',
  verification:
    'Ownership codes are made with a new secret; those of the old one stay valid for their 7 days.',
};

const ENDED: Readonly<Record<SecretPurpose, string>> = {
  cursors:
    'Cursors are sealed with a new secret, and all earlier ones are invalid: callers begin their lists again.',
  verification: 'Ownership codes are made with a new secret, and all earlier ones are invalid.',
};
