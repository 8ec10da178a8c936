import { Command } from 'commander';
import { OperatorError } from '../../kernel/errors.ts';
import { stopSignal } from '../with-runtime.ts';

/** `sightline demo`: everything, on simulated platforms. */
export const demoCommand = (): Command =>
  new Command('demo')
    .description('run everything on simulated platforms, with a key to try it')
    .addHelpText(
      'after',
      `
The state is kept in SIGHTLINE_HOME (.sightline): a second run resumes where the first one ended.

Example:
  PORT=9000 sightline demo`,
    )
    .option('--size <n>', 'simulated accounts of each platform', SIZE)
    .option('--world <file>', 'parameters of the simulated world as JSON; omitted ones have defaults')
    .option('--print-world', 'print the active parameters and exit')
    .action(async (options: { size: string; world?: string; printWorld?: boolean }) => {
      const size = sizeOf(options.size);
      const { printWorld, runDemo } = await import('../../runtime/demo/demo.ts');
      if (options.printWorld) await printWorld(options.world);
      else await runDemo(size, options.world, stopSignal());
    });

const SIZE = '2000';

const sizeOf = (text: string): number => {
  const size = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (size < 10)
    throw new OperatorError(
      'argument_invalid',
      `--size is "${text}"; allowed: whole number from 10 to 9999999`,
    );
  return size;
};
