import { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { OperatorError } from '../../kernel/errors.ts';

/** `sightline mcp`: a running service for an agent on this machine. */
export const mcpCommand = (): Command =>
  new Command('mcp')
    .description(
      'serve a running service to an agent, by the Model Context Protocol on standard input and output',
    )
    .option('--url <url>', 'address of the service', 'http://127.0.0.1:8080')
    .addHelpText(
      'after',
      `
The key that the agent calls with is in SIGHTLINE_API_KEY. Agents that speak HTTP need no command: POST /mcp of the service
is the same, with the key as bearer token.

Examples:
  SIGHTLINE_API_KEY=slk_… sightline mcp
  SIGHTLINE_API_KEY=slk_… sightline mcp --url https://sightline.example`,
    )
    .action(async ({ url }: { url: string }) => {
      const key = process.env.SIGHTLINE_API_KEY;
      if (key === undefined) {
        throw new OperatorError(
          'argument_invalid',
          'SIGHTLINE_API_KEY is not set; the agent calls with this key',
        );
      }
      if (!URL.canParse(url))
        throw new OperatorError('argument_invalid', `"${url}" is no address of a service`);
      const { serveAgent } = await import('../../mcp/stdio.ts');
      await serveAgent(url, key, manifest.version);
    });
