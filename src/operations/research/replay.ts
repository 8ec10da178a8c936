import { OperatorError } from '../../kernel/errors.ts';
import { judge } from '../../write/research/findings.ts';
import { decide, type Figures, POLICY } from '../../write/research/policy.ts';
import { decisionEvent, limitsSchema, type RunState } from '../../write/research/research.ts';
import type { OperationsContext } from '../context.ts';
import { differingInputs, type Inputs, type RecordedPool } from './replay-inputs.ts';
import { readRun } from './unfinished-runs.ts';

/** What a replay found out. */
export interface Replay {
  readonly run: string;
  /** Decisions and findings as lines of JSON: those of the run's events, and those that its inputs lead to. */
  readonly recorded: string;
  readonly replayed: string;
  /** Inputs that the seed or the log does not give: draws, figures, settings, limits. Empty if it gives all. */
  readonly differing: readonly string[];
}

const linesOf = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

const FIGURES = [
  'share',
  'share_least',
  'share_greatest',
  'size_cap',
  'size_cap_least',
  'requests',
  'discovered',
  'prior',
  'may_change',
] as const satisfies readonly (keyof Figures)[];

/** Figures as the policy takes them; the name of one that is missing otherwise. */
const figuresOf = (figures: Readonly<Record<string, number | null>>): Figures | string => {
  const missing = FIGURES.find((name) => typeof figures[name] !== 'number');
  return missing ?? ({ ...figures, accounts: figures.accounts ?? null } as unknown as Figures);
};

/** @returns the inputs of a run, or what is wrong with them. */
const inputsOf = ({ started, pools }: RunState): Inputs | readonly string[] => {
  if (started === null) return ['the run has not started'];
  const limits = limitsSchema.safeParse(started.limits);
  if (!limits.success) return [`limits: ${limits.error.issues[0]?.path.join('.')}`];
  const drawn: RecordedPool[] = [];
  for (const { pool, platform, figures, draws, settings } of pools) {
    const parsed = figuresOf(figures);
    if (typeof parsed === 'string') return [`figure ${parsed} of ${pool}`];
    drawn.push({ pool, platform, figures: parsed, draws, settings });
  }
  return { started, limits: limits.data, pools: drawn };
};

/** Decisions follow from the recorded draws, which are what counts, whether the seed leads to them or not. */
const decisionsOf = ({ started, limits, pools }: Inputs) =>
  decide(started.run, pools, limits).map((each) => decisionEvent(started.at, each).data);

/** Findings follow from their recorded metrics. */
const findingsOf = ({ found }: RunState) =>
  found.map(({ kind, subject, metrics, evidence, ...rest }) => {
    const judged = judge({ kind, subject, metrics, evidence });
    return {
      ...rest,
      kind,
      subject,
      metrics,
      evidence,
      summary: judged?.summary,
      confidence: judged?.confidence,
    };
  });

/** The same order of fields, whatever the order that a log keeps. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, item]) => [name, sorted(item)]),
        )
      : value;

const canonical = (events: readonly object[]): string =>
  linesOf(events.map((event) => sorted(event) as object));

/**
 * Decides a run again from its recorded figures, draws and limits, and compares these with the log and the seed. A run that was interrupted is
 * compared as far as it came.
 * @throws {OperatorError} `research_unknown`, `policy_unknown`
 */
export const replayRun = async ({ log }: Pick<OperationsContext, 'log'>, run: string): Promise<Replay> => {
  const { state, events } = await readRun(log, run);
  if (state.started === null) throw new OperatorError('research_unknown', `There is no run ${run}.`);
  if (state.started.policy !== POLICY)
    throw new OperatorError(
      'policy_unknown',
      `The run followed the policy ${state.started.policy}; this program has ${POLICY}. Replay it with the version that ran it.`,
    );
  const inputs = inputsOf(state);
  const recorded = canonical([...state.found, ...state.decided]);
  if (!('pools' in inputs)) return { run, recorded, replayed: '', differing: inputs };
  const decisions = state.decided.length === 0 ? [] : decisionsOf(inputs).slice(0, state.decided.length);
  return {
    run,
    recorded,
    replayed: canonical([...findingsOf(state), ...decisions]),
    differing: await differingInputs(log, inputs, events),
  };
};
