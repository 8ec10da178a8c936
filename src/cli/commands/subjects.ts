import { Command } from 'commander';
import { print, writeError } from '../../kernel/terminal.ts';
import { intoFile, intoStdout, type Target } from '../../operations/events/output-sink.ts';
import type { ErasureContext, Step } from '../../operations/subjects/erase.ts';
import type { Subject } from '../../operations/subjects/subject.ts';
import type { SubjectState } from '../../operations/subjects/subjects.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { createProgress, type Progress, unlessInterrupted, workProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import { recorded, stopSignal, withRuntime } from '../with-runtime.ts';

/** `sightline subjects`: people who are to be forgotten. */
export const subjectsCommand = (): Command =>
  new Command('subjects')
    .description('hide accounts, or erase them for good, with receipts')
    .addHelpText(
      'after',
      `
An account is platform:handle, platform:id:<id> or a profile URL. ERASURE_KEY must be set for every process; keep a copy
of it. What is promised, and what is not, is in docs/privacy.md.

Examples:
  sightline subjects suppress x:ada
  sightline subjects erase x:ada
  sightline subjects erase x:ada --yes --reason "request 2026-114"
  sightline subjects receipt x:ada > receipt.json`,
    )
    .addCommand(suppressCommand())
    .addCommand(eraseCommand())
    .addCommand(showCommand())
    .addCommand(exportCommand())
    .addCommand(listCommand())
    .addCommand(receiptCommand())
    .addCommand(checkCommand())
    .addCommand(ledgerCommand())
    .addCommand(verifyCommand())
    .addCommand(liftCommand())
    .addCommand(requestsCommand())
    .addCommand(dismissCommand())
    .addCommand(rekeyCommand());

const load = () => import('../../operations/subjects/subjects.ts');
const ACCOUNT = 'platform:handle, platform:id:<id> or a profile URL';
const EITHER = `the account, or the beginning of its digest`;

const eraseCommand = (): Command =>
  recorded(new Command('erase'))
    .description(
      'forget an account: in answers at once, then in the log and every table; without --yes, show what that is',
    )
    .argument('<account...>', ACCOUNT)
    .option('--yes', 'erase it: this can’t be undone')
    .option('--person', 'with all other accounts that are confirmed to be of the same person')
    .addHelpText(
      'after',
      `
The account is refused from then on, under whatever name it is read. Write no names into --reason: it stays in the log.
An interrupted erasure goes on when Sightline runs, or with the same command.

Examples:
  sightline subjects erase x:ada
  sightline subjects erase x:ada instagram:ada.bakes --yes --reason "request 2026-114"
  sightline subjects erase x:ada --person`,
    )
    .action((texts: readonly string[], { yes, person }: { yes?: true; person?: true }) =>
      withRuntime(async (runtime) => {
        const { openErasure, previewSubject } = await import('../../operations/subjects/erase.ts');
        const { accountsNamed } = await import('../../operations/subjects/person.ts');
        const accounts = await accountsNamed(runtime, texts, person === true);
        for (const account of accounts) print(previewText(await previewSubject(runtime, account)));
        if (yes !== true) {
          print('\nNothing is erased yet. To erase for good, add --yes.');
          return;
        }
        const subjects: Subject[] = [];
        for (const account of accounts) subjects.push(await openErasure(runtime, account));
        if (!(await carriedOut(runtime))) return;
        for (const { digest } of subjects)
          print(
            `${digest.slice(0, 16)}  forgotten; receipt: sightline subjects receipt ${digest.slice(0, 16)}`,
          );
      }),
    );

const suppressCommand = (): Command =>
  recorded(new Command('suppress'))
    .description(
      'hide an account from every answer, and read it no more; the log keeps it, and lift shows it again',
    )
    .argument('<account...>', ACCOUNT)
    .option('--person', 'with all other accounts that are confirmed to be of the same person')
    .action((texts: readonly string[], { person }: { person?: true }) =>
      withRuntime(async (runtime) => {
        const { openErasure } = await import('../../operations/subjects/erase.ts');
        const { accountsNamed } = await import('../../operations/subjects/person.ts');
        const subjects: Subject[] = [];
        for (const account of await accountsNamed(runtime, texts, person === true))
          subjects.push(await openErasure(runtime, account, null));
        if (!(await carriedOut(runtime))) return;
        for (const { digest } of subjects)
          print(
            `${digest.slice(0, 16)}  suppressed; to show it again: sightline subjects lift ${digest.slice(0, 16)}`,
          );
      }),
    );

/** Carries out what is open, and shows each step. @returns false if it was interrupted. */
const carriedOut = async (runtime: ErasureContext): Promise<boolean> => {
  const { carryOut } = await import('../../operations/subjects/erase.ts');
  const signal = stopSignal();
  const steps = showSteps();
  try {
    await carryOut(runtime, { signal, onStep: steps.step, onProgress: steps.progress });
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = 130;
    print('Interrupted: the account is refused already. The rest goes on when Sightline runs.');
    return false;
  } finally {
    steps.end();
  }
};

const SAYS: Readonly<Record<Step, string>> = {
  processes: 'Telling every process',
  'read models': 'Waiting for the read models',
  hidden: 'Hidden: no answer shows it from here on',
  log: 'Going through the log',
  'read models again': 'Making the read models anew that show what others wrote',
  tables: 'Clearing tables',
  done: 'Done',
};

/** Prints each step, with progress below those that take long. */
const showSteps = () => {
  let bar: Progress | null = null;
  const end = () => {
    bar?.end();
    bar = null;
  };
  return {
    step: (step: Step) => {
      end();
      writeError(`${SAYS[step]}.\n`);
    },
    progress: (done: number, total: number) => {
      bar ??= createProgress('erase', 'events');
      bar.update(done, total);
    },
    end,
  };
};

const previewText = ({ platform, nativeId, handles, tenures }: Subject): string => {
  const events = tenures.reduce((sum, { from, through }) => sum + (from < 0 ? 0 : through - from + 1), 0);
  const names = [nativeId === null ? 'no ID is known' : `ID ${nativeId}`, ...handles];
  const streams = new Set(tenures.map(({ stream }) => stream)).size;
  return `${platform}: ${names.join(', ')}; ${events.toLocaleString('en-US')} events in ${streams} streams`;
};

const showCommand = (): Command =>
  listing(new Command('show'))
    .description('count what is held about an account: events, texts of others that name it, and rows')
    .argument('<account>', ACCOUNT)
    .action((text: string, output: Output) =>
      withRuntime(async (runtime) => {
        const { countHeld, exportSubject } = await import('../../operations/subjects/export.ts');
        const { accountNamed } = await import('../../operations/account-name.ts');
        const progress = createProgress('show', 'events');
        const options = { signal: stopSignal(), onProgress: progress.update };
        const counts = await countHeld(exportSubject(runtime, accountNamed(text), options)).finally(
          progress.end,
        );
        printList(output, counts, {
          table: (width) =>
            renderTable(
              [{ head: 'held', keep: true }, { head: 'where', keep: true }, 'count', 'since', 'until'],
              counts.map(({ held, where, count, since, until }) => [
                held,
                where,
                count,
                since ?? '',
                until ?? '',
              ]),
              { width },
            ),
        });
      }),
    );

const exportCommand = (): Command =>
  recorded(new Command('export'))
    .description('print everything that is held about an account, as NDJSON, for the person whose it is')
    .argument('<account>', ACCOUNT)
    .option('--out <file>', 'write to this file; standard output by default')
    .addHelpText(
      'after',
      `
A line is an event with its source and time, the texts of somebody else's event that name the account, or a row of a table.
The file appears under its name when it is complete; only you may read it.

Examples:
  sightline subjects export x:ada --out ada.ndjson
  sightline subjects export x:id:11348282 | jq -c 'select(.held == "event") | .data'`,
    )
    .action(async (text: string, { out }: { out?: string }) => {
      const { exportSubject } = await import('../../operations/subjects/export.ts');
      const { noted } = await import('../../operations/events/exports.ts');
      const { accountNamed } = await import('../../operations/account-name.ts');
      const account = accountNamed(text);
      const signal = stopSignal();
      const work = (target: Target) =>
        withRuntime(async (runtime) => {
          const progress = await workProgress('export', out, runtime);
          const options = { signal, onProgress: progress.update };
          await noted(runtime.log, target, async (into) => {
            let count = 0;
            for await (const held of exportSubject(runtime, account, options)) {
              await into.write(`${JSON.stringify(held)}\n`);
              count += 1;
            }
            return { kind: 'subject', type: null, count };
          }).finally(progress.end);
        });
      await unlessInterrupted(signal, out, () =>
        out === undefined ? work(intoStdout(signal)) : intoFile(out, work),
      );
    });

const listCommand = (): Command =>
  listing(new Command('list'))
    .description('list erasures and suppressions, the newest first, with how far each is')
    .action((output: Output) =>
      withRuntime(async (runtime) => {
        const { listSubjects } = await load();
        const found = await listSubjects(runtime);
        printList(output, found.map(rowOf), {
          table: (width) =>
            renderTable(
              [
                { head: 'subject', keep: true },
                { head: 'state', keep: true },
                'platform',
                'suppressed',
                'due',
                'erased',
                'events',
                'references',
              ],
              found.map(
                ({ subject, state, platform, suppressed_at, due_at, erased_at, events, references }) => [
                  subject.slice(0, 16),
                  state,
                  platform,
                  suppressed_at ?? '',
                  due_at ?? '',
                  erased_at ?? '',
                  events ?? '',
                  references ?? '',
                ],
              ),
              { width },
            ),
          empty: 'No account was erased or suppressed.',
        });
      }),
    );

const rowOf = ({ rows, ...state }: SubjectState) => ({
  ...state,
  rows: rows === null ? null : Object.values(rows).reduce((sum, n) => sum + n, 0),
});

/** An erasure by an account, or by a digest. */
const named = async (text: string) => {
  const { accountNamed } = await import('../../operations/account-name.ts');
  return /^[0-9a-f]{8,64}$/.test(text) ? text : accountNamed(text);
};

const receiptCommand = (): Command =>
  new Command('receipt')
    .description('print what was found and done, signed, as JSON')
    .argument('<subject>', EITHER)
    .action((text: string) =>
      withRuntime(async (runtime) => {
        const { subjectNamed } = await load();
        const { receiptOf } = await import('../../operations/subjects/receipts.ts');
        print(
          JSON.stringify(await receiptOf(runtime, await subjectNamed(runtime, await named(text))), null, 2),
        );
      }),
    );

const checkCommand = (): Command =>
  new Command('check')
    .description('check who signed a receipt; no home and no database is needed')
    .argument('<receipt>', 'file of a receipt')
    .requiredOption(
      '--keys <file>',
      'what the installation publishes at /.well-known/sightline-keys.json: the key in a receipt proves nothing',
    )
    .action(async (file: string, { keys }: { readonly keys: string }) => {
      const { checkReceipt, readReceiptFile } = await import('../../operations/subjects/receipts.ts');
      const { subject, state, issued_at, kid } = checkReceipt(
        await readReceiptFile(file),
        await readReceiptFile(keys),
      );
      print(`signed by ${kid}: ${subject.slice(0, 16)} was ${state} when the receipt was made, ${issued_at}`);
    });

const ledgerCommand = (): Command =>
  new Command('ledger')
    .description('print the ledger of erasures, for sightline restore --erasures: digests, and no names')
    .action(() =>
      withRuntime(async (runtime) => {
        const { ledgerOf } = await import('../../operations/subjects/ledger-file.ts');
        print(JSON.stringify(await ledgerOf(runtime)));
      }),
    );

const verifyCommand = (): Command =>
  listing(new Command('verify'))
    .description('search every table of the database for an account; exit with 1 if a row has its name')
    .argument('<account>', ACCOUNT)
    .addHelpText(
      'after',
      `
It finds names as text, in any letters: a name that is a common word finds more than the account.

Examples:
  sightline subjects verify x:ada
  sightline subjects verify x:id:11348282`,
    )
    .action((text: string, output: Output) =>
      withRuntime(async (runtime) => {
        const { verifySubject } = await load();
        const { accountNamed } = await import('../../operations/account-name.ts');
        const found = await verifySubject(runtime, accountNamed(text));
        printList(
          output,
          found.map((row) => ({ ...row })),
          {
            table: (width) =>
              renderTable(
                [{ head: 'table', keep: true }, 'rows'],
                found.map(({ table, rows }) => [table, rows]),
                { width },
              ),
            empty: 'No row of any table has its name.',
          },
        );
        if (found.length > 0) process.exitCode = 1;
      }),
    );

const liftCommand = (): Command =>
  recorded(new Command('lift'))
    .description(
      'let an account be read again: what was suppressed is shown again, what was erased stays erased',
    )
    .argument('<subject>', EITHER)
    .action((text: string) =>
      withRuntime(async (runtime) => {
        const { liftSubject, subjectNamed } = await load();
        const state = await subjectNamed(runtime, await named(text));
        const progress = createProgress('lift', 'events');
        const options = { signal: stopSignal(), onProgress: progress.update };
        await liftSubject(runtime, state, options).finally(progress.end);
        print(`${state.subject.slice(0, 16)} may be read again.`);
      }),
    );

const requestsCommand = (): Command =>
  listing(new Command('requests'))
    .description('list what people asked for at /privacy and could not prove there, the oldest first')
    .addHelpText(
      'after',
      `
Nobody has proven that the account is that of whoever asks: let the person prove it first.

Examples:
  sightline subjects requests
  sightline subjects dismiss 01a20253-e8b7-7fbe-97e0-f6d430ff7812 --reason "no proof within a month"`,
    )
    .action((output: Output) =>
      withRuntime(async (runtime) => {
        const { listRequests } = await import('../../operations/subjects/requests.ts');
        const requests = await listRequests(runtime);
        printList(
          output,
          requests.map((each) => ({ ...each })),
          {
            table: (width) =>
              renderTable(
                [
                  { head: 'id', keep: true },
                  'at',
                  'act',
                  'platform',
                  { head: 'account', keep: true },
                  'contact',
                ],
                requests.map(({ id, at, act, platform, account, contact }) => [
                  id,
                  at,
                  act,
                  platform,
                  account,
                  contact,
                ]),
                { width },
              ),
            empty: 'Nobody asked for anything.',
          },
        );
      }),
    );

const dismissCommand = (): Command =>
  recorded(new Command('dismiss'))
    .description('take a request out of the queue; erasing its account does so as well')
    .argument('<id>', 'the request, as subjects requests lists it')
    .action((id: string) =>
      withRuntime(async (runtime) => {
        const { dismissRequest } = await import('../../operations/subjects/requests.ts');
        await dismissRequest(runtime, id);
        print('The request is dismissed.');
      }),
    );

const rekeyCommand = (): Command =>
  recorded(new Command('rekey'))
    .description('seal the key of erasures with the first key of ERASURE_KEY')
    .addHelpText(
      'after',
      `
To replace the key: set ERASURE_KEY for every process to the new and the old key, separated by a comma; run this command;
then remove the old key.

Examples:
  ERASURE_KEY="$NEW,$OLD" sightline subjects rekey`,
    )
    .action(() =>
      withRuntime(async (runtime) => {
        const { rekeyErasures } = await load();
        await rekeyErasures(runtime);
        print('The key of erasures is sealed with the first key of ERASURE_KEY.');
      }),
    );
