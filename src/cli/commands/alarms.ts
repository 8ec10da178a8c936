import { Command } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { print } from '../../kernel/terminal.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { renderTable } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline alarms`: what is raised, and what an operator has seen of it. */
export const alarmsCommand = (): Command => {
  const alarms = new Command('alarms').description(
    'show what is wrong with the service, acknowledge it, and list all alarms',
  );
  listing(alarms.command('list', { isDefault: true }))
    .description('what is raised, the oldest first')
    .addHelpText(
      'after',
      `
An alarm is raised once its condition has held for a while, and cleared a minute after it last held.

Examples:
  sightline alarms
  sightline alarms list --json`,
    )
    .action((options: Output) =>
      withRuntime(async ({ log }) => {
        const { readOpenAlarms } = await import('../../operations/health/evaluate.ts');
        const open = await readOpenAlarms(log, systemClock.now());
        printList(options, open, {
          empty: 'Nothing is raised.',
          table: (width) =>
            renderTable(
              [{ head: 'alarm', keep: true }, 'severity', 'since', 'what', 'remedy', 'seen'],
              open.map(({ alarm, severity, since, detail, remedy, acknowledged }) => [
                alarm,
                severity,
                since.slice(0, 19),
                detail,
                remedy,
                acknowledged?.note ?? 'no',
              ]),
              { width },
            ),
        });
      }),
    );
  recorded(alarms.command('ack'), 'required')
    .description('acknowledge an alarm: it stays raised until its cause has ended')
    .argument('<alarm>', 'its name')
    .argument('[subject]', 'what it is about; everything by default')
    .addHelpText(
      'after',
      `
Examples:
  sightline alarms ack NoReadings x --reason "X is down, their status page says"
  sightline alarms ack BackupOld --reason "disk ordered"`,
    )
    .action((alarm: string, subject: string | undefined, { reason }: { reason: string }) =>
      withRuntime(async ({ log }) => {
        const { acknowledgeAlarm } = await import('../../operations/health/evaluate.ts');
        const n = await acknowledgeAlarm(
          log,
          { alarm, subject: subject ?? null, note: reason },
          systemClock.now(),
        );
        if (n === 0)
          throw new OperatorError(
            'alarm_not_raised',
            `${alarm} is not raised${subject === undefined ? '' : ` for ${subject}`}, or it was acknowledged already.`,
          );
        print(`Acknowledged: ${alarm}${n === 1 ? '' : `, ${n} times`}.`);
      }),
    );
  listing(alarms.command('table'))
    .description('every alarm: its condition, how long that must hold, and its remedy')
    .addHelpText(
      'after',
      `
Examples:
  sightline alarms table`,
    )
    .action(async (options: Output) => {
      const { ALARMS, conditionText } = await import('../../operations/health/alarms.ts');
      const rows = ALARMS.map(({ name, severity, condition, forS, remedy }) => ({
        alarm: name,
        severity,
        condition: conditionText(condition),
        for_s: forS,
        remedy,
      }));
      printList(options, rows, {
        table: (width) =>
          renderTable(
            [{ head: 'alarm', keep: true }, 'severity', { head: 'condition', keep: true }, 'for', 'remedy'],
            rows.map((row) => [row.alarm, row.severity, row.condition, `${row.for_s} s`, row.remedy]),
            { width },
          ),
      });
    });
  return alarms;
};
