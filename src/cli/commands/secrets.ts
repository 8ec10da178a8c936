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
    .description('sign cursors with a new secret; cursors of the old one are good for 24 hours more')
    .action(() =>
      withRuntime(async (runtime) => {
        const { rotateCursorSecret } = await import('../../write/secrets/cursor-secrets.ts');
        await rotateCursorSecret(runtime.db);
        console.log('Cursors are signed with a new secret; running processes take it up within 30 seconds.');
      }),
    );
  return secrets;
};
