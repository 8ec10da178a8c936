import { Command } from 'commander';
import { print, printJson } from '../../kernel/terminal.ts';
import { terminalWidth, wrapped } from '../render/table.ts';

/** `sightline config`: every setting, what it may be, and what it is now. */
export const configCommand = (): Command =>
  new Command('config')
    .description('show every setting with its value, its default and what is allowed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Settings come from the environment:
  PORT=9000 LOG_LEVEL=debug sightline start`,
    )
    .action(async (options: { json?: boolean }) => {
      const [{ describeConfig, shownValue }, { parseConfig }] = await Promise.all([
        import('../../kernel/config.ts'),
        import('../../kernel/config.ts'),
      ]);
      const config = parseConfig(process.env);
      const rows = describeConfig().map((row) => ({ ...row, now: shownValue(config, row.key) }));
      if (options.json === true) {
        printJson(rows, 2);
        return;
      }
      for (const { key, allowed, fallback, now, about } of rows) {
        const notes = [about, `Allowed: ${allowed}.`, ...(fallback === '' ? [] : [`Default: ${fallback}.`])];
        print(`${key} = ${now === '' ? '(not set)' : now}`);
        for (const line of wrapped(notes.join(' '), terminalWidth() - 2)) print(`  ${line}`);
      }
    });
