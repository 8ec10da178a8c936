/** Exports that operators made: which may hold an account that is erased later, until they are destroyed. */

import { createHash } from 'node:crypto';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { EventDataOf } from '../../write/event-types.ts';
import type { EventLog } from '../../write/log/port.ts';
import { EXPORTS_STREAM } from '../../write/upkeep.ts';
import type { Target } from './output-sink.ts';

type Made = EventDataOf<'ExportMade'>;

/** An export, which its SHA-256 tells from others: what was selected, and the name of its file, may name people. */
export interface Export extends Omit<Made, 'at'> {
  readonly made_at: string;
  /** Who made it; null if it is unknown. */
  readonly actor: string | null;
  /** When an operator said that no copy of it is left; null before that. */
  readonly destroyed_at: string | null;
}

/** Lets `work` write an export, and notes it. @returns its ID. */
export const noted = async (
  log: Pick<EventLog, 'append'>,
  target: Target,
  work: (target: Target) => Promise<Omit<Made, 'at' | 'export' | 'sha256'>>,
): Promise<string> => {
  const hash = createHash('sha256');
  const made = await work({
    write: (chunk) => {
      hash.update(chunk);
      return target.write(chunk);
    },
  });
  const nowMs = systemClock.now();
  const id = uuidV7(nowMs);
  const data: Made = { at: isoOf(nowMs), export: id, ...made, sha256: hash.digest('hex') };
  await log.append(EXPORTS_STREAM, [{ id: uuidV7(nowMs), type: 'ExportMade', data }], 'any');
  return id;
};

/** All exports, the newest first. */
export const listExports = async ({
  log,
}: {
  readonly log: Pick<EventLog, 'readStream'>;
}): Promise<readonly Export[]> => {
  const found = new Map<string, Export>();
  for (const { type, data, metadata } of await log.readStream(EXPORTS_STREAM)) {
    const { at, ...made } = data as Made;
    const known = found.get(made.export);
    if (type === 'ExportMade')
      found.set(made.export, {
        ...made,
        made_at: at,
        actor: metadata.actor ?? null,
        destroyed_at: null,
      });
    else if (known !== undefined) found.set(made.export, { ...known, destroyed_at: at });
  }
  return [...found.values()].toReversed();
};

/** Notes that no copy of an export is left. @throws {OperatorError} `export_unknown` */
export const destroyExport = async ({ log }: { readonly log: EventLog }, id: string): Promise<void> => {
  const found = (await listExports({ log })).find((each) => each.export === id);
  if (found === undefined) throw new OperatorError('export_unknown', 'There is no such export.');
  if (found.destroyed_at !== null) return;
  const nowMs = systemClock.now();
  const data = { at: isoOf(nowMs), export: id };
  await log.append(EXPORTS_STREAM, [{ id: uuidV7(nowMs), type: 'ExportDestroyed', data }], 'any');
};
