import { Command } from 'commander';
import { withRuntime } from '../with-runtime.ts';

/** `sightline secrets`: what signs cursors. */
export const secretsCommand = (): Command => {
  const secrets = new Command('secrets').description('the secrets that sign cursors').addHelpText(
    'after',
    `
Example:
  sightline secrets rotate`,
  );
  secrets
    .command('rotate')
    .description('sign cursors with a new secret; cursors that the old one signed stay valid for 24 hours')
    .action(() =>
      withRuntime(async (runtime) => {
        const { rotateSecrets } = await import('../../operations/secrets.ts');
        await rotateSecrets(runtime);
        console.log('Cursors are signed with a new secret; running processes take it up within 30 seconds.');
      }),
    );
  return secrets;
};
