import { Command } from 'commander';
import { print, printJson } from '../../kernel/terminal.ts';
import { isJson, listing, type Output, printList } from '../render/listing.ts';
import { wrapped } from '../render/table.ts';

/** `sightline config`: every setting, what it may be, and what it is now. */
export const configCommand = (): Command =>
  listing(new Command('config'))
    .description('show every setting with its value, its origin, its default and what is allowed')
    .addHelpText(
      'after',
      `
Settings come from the environment, then from the file that SIGHTLINE_CONFIG names, or sightline.yaml in the working
directory. A misspelt name is refused.

Examples:
  PORT=9000 LOG_LEVEL=debug sightline start
  printf 'PORT: 9000\\nLOG_LEVEL: debug\\n' > sightline.yaml && sightline config check`,
    )
    .action(async (options: Output) => {
      const { describeConfig, originsOfSettings, parseConfig, shownValue } = await import(
        '../../kernel/config.ts'
      );
      const config = parseConfig(process.env);
      const origins = originsOfSettings(process.env);
      const rows = describeConfig().map((row) => ({
        ...row,
        now: shownValue(config, row.key),
        origin: origins[row.key],
      }));
      printList(options, rows, {
        table: (width) =>
          rows
            .flatMap(({ key, allowed, fallback, now, about, origin }) => {
              const notes = [
                about,
                `Allowed: ${allowed}.`,
                ...(fallback === '' ? [] : [`Default: ${fallback}.`]),
              ];
              return [
                `${key} = ${now === '' ? '(not set)' : now}${origin === 'file' ? ' (from the file)' : ''}`,
                ...wrapped(notes.join(' '), width - 2).map((line) => `  ${line}`),
              ];
            })
            .join('\n'),
      });
    })
    .addCommand(checkCommand());

/** `sightline config check`: what a start would do, without doing it. */
const checkCommand = (): Command =>
  new Command('check')
    .description('check the settings and say what a start with them would do')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
It opens nothing and connects to nothing. It exits with 2 if a setting can't be used.

Example:
  SIGHTLINE_CONFIG=/etc/sightline.yaml sightline config check`,
    )
    .action(async (_: object, command: Command) => {
      const { originsOfSettings, parseConfig, shownValue } = await import('../../kernel/config.ts');
      const { consequencesOf } = await import('../../operations/settings.ts');
      const config = parseConfig(process.env);
      const given = Object.entries(originsOfSettings(process.env)).flatMap(([name, origin]) => {
        const key = name as keyof typeof config;
        return origin === 'default' ? [] : [{ key, value: shownValue(config, key), origin }];
      });
      const consequences = await consequencesOf(config);
      // The group has the option too, and takes it.
      if (isJson(command.optsWithGlobals<Output>())) {
        printJson({ given, consequences }, 2);
        return;
      }
      for (const { key, value, origin } of given) print(`${key} = ${value} (from the ${origin})`);
      if (given.length === 0) print('Every setting has its default.');
      print('');
      for (const line of consequences) print(line);
    });
