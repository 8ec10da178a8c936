import { type Command, InvalidArgumentError } from 'commander';
import type { Review } from '../../../operations/research/findings.ts';
import type { LimitChanges } from '../../../operations/research/limits.ts';
import { limitsFields } from '../../render/research-table.ts';
import { withRuntime } from '../../with-runtime.ts';

const load = async () => ({
  ...(await import('../../../operations/research/findings.ts')),
  ...(await import('../../../operations/research/limits.ts')),
});

const reviewed = (id: string, review: Review): Promise<void> =>
  withRuntime(async (runtime) => {
    const isNew = await (await load()).review(runtime, id, review);
    console.log(`The finding ${id} is ${review.status}${isNew ? '' : ' already: nothing changed'}.`);
  });

const numberOf = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('must be a number');
};

interface LimitFlags {
  readonly shareFactor?: number;
  readonly sizeFactor?: number;
  readonly sizeCap?: number;
  readonly floor?: number;
  readonly halfLife?: number;
  readonly pools?: string;
  readonly allPools?: boolean;
  readonly observeOnly?: boolean;
  readonly act?: boolean;
  readonly json?: boolean;
}

const changesOf = (flags: LimitFlags): LimitChanges | null => {
  const { shareFactor, sizeFactor, sizeCap, floor, halfLife, pools, allPools, observeOnly, act } = flags;
  const limits = {
    ...(shareFactor === undefined ? {} : { share_factor_per_hour: shareFactor }),
    ...(sizeFactor === undefined ? {} : { size_factor_per_hour: sizeFactor }),
    ...(sizeCap === undefined ? {} : { size_cap: sizeCap }),
    ...(floor === undefined ? {} : { floor }),
    ...(halfLife === undefined ? {} : { half_life_h: halfLife }),
  };
  const changes: LimitChanges = {
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(allPools === true
      ? { pools: null }
      : pools === undefined
        ? {}
        : { pools: pools.split(',').filter((pool) => pool !== '') }),
    ...(observeOnly === true ? { observe_only: true } : act === true ? { observe_only: false } : {}),
  };
  return Object.keys(changes).length === 0 ? null : changes;
};

const limits = (flags: LimitFlags): Promise<void> =>
  withRuntime(async (runtime) => {
    const { readLimits, setLimits } = await load();
    const changes = changesOf(flags);
    const active = changes === null ? await readLimits(runtime) : await setLimits(runtime, changes);
    console.log(flags.json === true ? JSON.stringify(active, null, 2) : limitsFields(active));
  });

/** Commands by which operators review findings and limit runs. */
export const addReviewing = (research: Command): void => {
  for (const [name, status] of [
    ['confirm', 'confirmed'],
    ['dismiss', 'dismissed'],
  ] as const)
    research
      .command(name)
      .description(`record that a finding is ${status}`)
      .argument('<finding>', 'its ID')
      .requiredOption('--reason <text>', 'recorded with it, and shown')
      .action((id: string, { reason }: { reason: string }) => reviewed(id, { status, reason }));
  research
    .command('supersede')
    .description('record that a newer finding takes the place of another')
    .argument('<finding>', 'its ID')
    .requiredOption('--by <finding>', 'ID of the newer one')
    .requiredOption('--reason <text>', 'recorded with it, and shown')
    .action((id: string, { by, reason }: { by: string; reason: string }) =>
      reviewed(id, { status: 'superseded', reason, successor: by }),
    );
  research
    .command('limits')
    .description('print what runs may decide at most, or change it from the next run on')
    .option('--share-factor <n>', 'most that a share is multiplied or divided by within an hour', numberOf)
    .option('--size-factor <n>', 'most that a cap is multiplied by within an hour', numberOf)
    .option('--size-cap <n>', 'largest cap that is decided', numberOf)
    .option('--floor <n>', 'part of the shares that all pools have alike, from 0.01 to 1', numberOf)
    .option('--half-life <h>', 'hours after which evidence counts half as much', numberOf)
    .option('--pools <names>', 'the only pools that runs may change, with commas')
    .option('--all-pools', 'runs may change all pools')
    .option('--observe-only', 'runs record findings and decisions, and carry out none')
    .option('--act', 'runs carry out what they decide')
    .option('--json', 'print JSON')
    .action(limits);
};
