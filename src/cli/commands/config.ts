import Table from 'cli-table3';
import { Command } from 'commander';

/** `sightline config`: every setting, what it may be, and what it is now. */
export const configCommand = (): Command =>
  new Command('config')
    .description('show every setting, what it may be, its default and its value now')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Settings come from the environment:
  PORT=9000 LOG_LEVEL=debug sightline start`,
    )
    .action(async (options: { json?: boolean }) => {
      const { describeConfig, parseConfig, SECRET_KEYS } = await import('../../kernel/config/settings.ts');
      const config = parseConfig(process.env);
      const rows = describeConfig().map((row) => {
        const value = config[row.key];
        const now = value === undefined ? '' : SECRET_KEYS.has(row.key) ? '(set, not shown)' : String(value);
        return { ...row, now };
      });
      if (options.json === true) {
        console.log(JSON.stringify(rows, null, 2));
        return;
      }
      const table = new Table({
        head: ['setting', 'allowed', 'default', 'now', 'what it does'],
        colWidths: [20, 30, 24, 30, 50],
        wordWrap: true,
        style: { head: [], border: [] },
      });
      for (const { key, allowed, fallback, now, about } of rows)
        table.push([key, allowed, fallback, now, about]);
      console.log(table.toString());
    });
