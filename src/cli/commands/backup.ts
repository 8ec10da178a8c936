import { Command } from 'commander';
import { print } from '../../kernel/terminal.ts';
import type { Runtime } from '../../runtime/open-runtime.ts';
import { createProgress, eventCount, logProgress } from '../render/progress.ts';
import { stopSignal, withRuntime } from '../with-runtime.ts';

/** `sightline backup`: the event log and the durable tables. */
export const backupCommand = (): Command =>
  new Command('backup')
    .description('save the event log, the metering and the secrets to a folder; Sightline may keep running')
    .requiredOption('--out <folder>', 'a folder that does not exist yet')
    .option('--since <folder>', 'the last backup: save the events since then, and all tables')
    .option('--recipient <recipient...>', 'encrypt it for these public keys of age, as age1…')
    .addHelpText(
      'after',
      `
Read models are not saved: they are rebuilt from the log. The folder holds the hashes of keys and the secrets that seal
cursors: only its owner can read it, and copies should be encrypted, as with --recipient. It gets its final name when it is complete.

Examples:
  sightline backup --out /backups/2026-11-21
  sightline backup --since /backups/2026-11-21 --out /backups/2026-11-22
  sightline backup --out /backups/2026-11-21 --recipient "$(age-keygen -y key.txt)"
  sightline backup --out "/backups/$(date +%F)" && rclone copy /backups remote:sightline`,
    )
    .action(({ out, since, recipient }: { out: string; since?: string; recipient?: readonly string[] }) =>
      withRuntime(async (runtime) => {
        const { recordBackup, saveBackup } = await import('../../operations/backup/backup.ts');
        const { sealedFor } = await import('../../operations/backup/age.ts');
        const seal = recipient === undefined ? undefined : await sealedFor(recipient);
        const signal = stopSignal();
        const startedAt = Date.now();
        const progress = await logProgress('backup', runtime);
        try {
          const manifest = await saveBackup(runtime, out, {
            since,
            seal,
            signal,
            onProgress: (done, total) => progress.update(Number(done), Number(total)),
          });
          await recordBackup(runtime, manifest);
          const { log, tables } = manifest;
          progress.end();
          const rows = tables.reduce((sum, { file }) => sum + file.lines, 0);
          const bytes = [log, ...tables].reduce((sum, { file }) => sum + file.bytes, 0);
          print(
            `${out} holds ${eventCount(log.file.lines)}, up to position ${log.head}, and ${rows.toLocaleString('en-US')} rows ` +
              `of ${tables.length} tables, in ${(bytes / 1e6).toFixed(1)} MB; it took ${((Date.now() - startedAt) / 1_000).toFixed(1)} s.`,
          );
        } catch (error) {
          progress.end();
          if (!signal.aborted) throw error;
          print(`Stopped. There is no ${out}.`);
          process.exitCode = 130;
        }
      }),
    );

/** `sightline restore`: a backup, into an empty target. */
export const restoreCommand = (): Command =>
  new Command('restore')
    .description('restore a backup into an empty home or database')
    .argument('<folder...>', 'a folder made by sightline backup, and those that continue it, in order')
    .option(
      '--erasures <file>',
      'the ledger of erasures that the backup may be older than; ERASURE_MIRROR by default',
    )
    .option('--identity <file>', 'secret keys of age, a line each, of a backup that is encrypted')
    .addHelpText(
      'after',
      `
The target is the home or the database of the settings (SIGHTLINE_HOME, DATABASE_URL, EVENT_LOG_URL). It must be empty:
a restore replaces nothing. All checksums are verified first. In Postgres a restore is one transaction: an aborted one
leaves nothing. In EventStoreDB, repeat the command to resume an aborted restore; before it finishes, it reads all events
back and compares them with the backup. The next start builds the read models. Accounts that were erased after the backup
was made come back, unless their ledger is given: sightline subjects ledger prints it.

Examples:
  SIGHTLINE_HOME=/srv/sightline sightline restore /backups/2026-11-21
  DATABASE_URL=postgres://sightline@db/empty sightline restore /backups/2026-11-21 /backups/2026-11-22`,
    )
    .action(
      (folders: readonly string[], { erasures: path, identity }: { erasures?: string; identity?: string }) =>
        withRuntime(async (runtime) => {
          const { loadBackup } = await import('../../operations/backup/restore.ts');
          const { reapplyErasures } = await import('../../operations/subjects/reapply.ts');
          const { openedWith } = await import('../../operations/backup/age.ts');
          const open = identity === undefined ? undefined : await openedWith(identity);
          const signal = stopSignal();
          const startedAt = Date.now();
          const progress = createProgress('restore', 'events');
          try {
            let restored = 0;
            const erasures = await erasuresFor(runtime, path);
            const { tables, made_at } = await loadBackup(runtime, folders, {
              signal,
              erasures,
              open,
              onChecked: () => undefined,
              onLoaded: (done, total) => {
                restored = done;
                progress.update(done, total);
              },
            });
            progress.end();
            const forgotten = createProgress('erase again', 'events');
            const erased = await reapplyErasures(runtime, { signal, onProgress: forgotten.update }).finally(
              forgotten.end,
            );
            if (erased > 0)
              print(`${erased} erased account${erased === 1 ? ' was' : 's were'} erased again.`);
            const rows = tables.reduce((sum, { file }) => sum + file.lines, 0);
            print(
              `Restored as of ${made_at}: ${eventCount(restored)} and ${rows.toLocaleString('en-US')} rows of ` +
                `${tables.length} tables; it took ${((Date.now() - startedAt) / 1_000).toFixed(1)} s.`,
            );
            print('The next start builds the read models: sightline start');
          } catch (error) {
            progress.end();
            if (!signal.aborted) throw error;
            print(
              runtime.config.EVENT_LOG_URL === undefined
                ? 'Stopped. Nothing was changed.'
                : 'Stopped. The same command resumes from here.',
            );
            process.exitCode = 130;
          }
        }),
    );

/** The ledger that a restore is to apply: of the option, or of ERASURE_MIRROR if that exists. */
const erasuresFor = async ({ config }: Pick<Runtime, 'config'>, path: string | undefined) => {
  const { readLedgerFile } = await import('../../operations/subjects/ledger-file.ts');
  const { existsSync } = await import('node:fs');
  const { ERASURE_MIRROR: mirror } = config;
  if (path !== undefined) return readLedgerFile(path);
  return mirror !== undefined && existsSync(mirror) ? readLedgerFile(mirror) : undefined;
};
