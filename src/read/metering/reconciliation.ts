/** Sums of requests and charges. */
export interface Figures {
  readonly requests: bigint;
  readonly budget_units: bigint;
  readonly overage_units: bigint;
  readonly overage_micro_usd: bigint;
  readonly live_calls: bigint;
}

export interface LedgerHolder {
  readonly holder: string;
  /** Credits in the read model in micro-dollars; null if the holder is missing there. */
  readonly credited: bigint | null;
  /** Null if the holder never called. */
  readonly charged: bigint | null;
}

export interface LedgerPeriod {
  readonly holder: string;
  readonly period: number;
  /** `settled`: final; `published`: in the log as well. Null if ledger entries refer to an unrecorded period. */
  readonly state: 'running' | 'ended' | 'settled' | 'published' | null;
  readonly plan: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** As recorded in the holder's account or ended period. */
  readonly recorded: Figures | null;
  /** Sum of the ledger entries; null if there are none. */
  readonly summed: Figures | null;
  readonly lines: number;
}

/** Live calls in flight of one ledger entry. */
export interface LedgerReservation {
  readonly holder: string;
  readonly period: number;
  /** Day, key and endpoint. */
  readonly line: string;
  readonly reserved: Figures;
  readonly used: Figures | null;
}

/** A `UsageSettled` event of the log. */
export interface SettledEvent {
  readonly holder: string;
  readonly period: number;
  readonly position: bigint;
  readonly plan: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly figures: Figures;
}

export interface Ledger {
  readonly holders: readonly LedgerHolder[];
  readonly periods: readonly LedgerPeriod[];
  readonly reservations: readonly LedgerReservation[];
  /** Sums of credits in the log, up to the read model's checkpoint. */
  readonly credits: ReadonlyMap<string, bigint>;
  readonly settled: readonly SettledEvent[];
  /** Head of the log before the rows were read: later events may be missing in them. */
  readonly head: bigint;
}

export interface LedgerDifference {
  readonly holder: string;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

const NONE: Figures = {
  requests: 0n,
  budget_units: 0n,
  overage_units: 0n,
  overage_micro_usd: 0n,
  live_calls: 0n,
};
const NAMES = Object.keys(NONE) as readonly (keyof Figures)[];

const figureDifferences = (
  holder: string,
  where: string,
  expected: Figures,
  found: Figures,
): readonly LedgerDifference[] =>
  NAMES.filter((name) => expected[name] !== found[name]).map((name) => ({
    holder,
    what: `${where}: ${name}`,
    expected: String(expected[name]),
    found: String(found[name]),
  }));

const idOf = ({ holder, period }: { readonly holder: string; readonly period: number }): string =>
  `${holder} ${period}`;

/** A period's recorded sums against its ledger entries. */
const periodDifferences = ({ holder, period, state, recorded, summed }: LedgerPeriod) => {
  if (recorded === null)
    return [{ holder, what: `period ${period}`, expected: 'a running or ended period', found: 'none' }];
  const name = state === 'running' ? `running period ${period}` : `ended period ${period}`;
  return figureDifferences(holder, `${name}, against its ledger entries`, summed ?? NONE, recorded);
};

/** A period against its settlement in the log. */
const publicationDifferences = (
  row: LedgerPeriod,
  events: readonly SettledEvent[],
): readonly LedgerDifference[] => {
  const { holder, period, state } = row;
  const what = `UsageSettled of period ${period}`;
  if (state === 'published' && events.length === 0)
    return [{ holder, what, expected: '1 event', found: 'none' }];
  if (events.length > 1) return [{ holder, what, expected: '1 event', found: `${events.length} events` }];
  const [event] = events;
  if (event === undefined) return [];
  const words = (['plan', 'started_at', 'ended_at'] as const)
    .filter((name) => row[name] !== event[name])
    .map((name) => ({
      holder,
      what: `${what}: ${name}`,
      expected: row[name] ?? 'none',
      found: event[name],
    }));
  return [...words, ...figureDifferences(holder, what, row.recorded ?? NONE, event.figures)];
};

const moneyDifferences = (
  { holder, credited, charged }: LedgerHolder,
  overage: bigint,
  inLog: bigint,
): readonly LedgerDifference[] => {
  const found: LedgerDifference[] = [];
  if ((charged ?? 0n) !== overage)
    found.push({
      holder,
      what: 'charged_micro_usd, against all ledger entries',
      expected: String(overage),
      found: String(charged ?? 'none'),
    });
  if (credited === null || credited !== inLog)
    found.push({
      holder,
      what: 'credit_micro_usd, against the log',
      expected: String(inLog),
      found: String(credited ?? 'no holder'),
    });
  const balance = (credited ?? 0n) - (charged ?? 0n);
  if (balance < 0n)
    found.push({ holder, what: 'balance, micro-dollars', expected: '0 or more', found: String(balance) });
  return found;
};

const reservationDifferences = ({ holder, period, line, reserved, used }: LedgerReservation) =>
  NAMES.filter((name) => reserved[name] > (used ?? NONE)[name]).map((name) => ({
    holder,
    what: `reserved in period ${period}, ${line}: ${name}`,
    expected: `at most ${(used ?? NONE)[name]}`,
    found: String(reserved[name]),
  }));

const grouped = <T>(all: readonly T[], key: (each: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(key(each));
    if (group === undefined) groups.set(key(each), [each]);
    else group.push(each);
  }
  return groups;
};

/** All inconsistencies of a ledger. */
export const differencesOf = (ledger: Ledger): readonly LedgerDifference[] => {
  const { holders, periods, reservations, credits, settled, head } = ledger;
  const events = grouped(settled, idOf);
  const recorded = new Map(periods.map((row) => [idOf(row), row]));
  const overage = new Map<string, bigint>();
  for (const { holder, summed } of periods)
    overage.set(holder, (overage.get(holder) ?? 0n) + (summed?.overage_micro_usd ?? 0n));
  const known = new Set(holders.map(({ holder }) => holder));
  const orphans = [...new Set([...credits.keys(), ...overage.keys()])]
    .filter((holder) => !known.has(holder))
    .map((holder) => ({ holder, credited: null, charged: null }));
  return [
    ...periods.flatMap(periodDifferences),
    ...[...holders, ...orphans].flatMap((row) =>
      moneyDifferences(row, overage.get(row.holder) ?? 0n, credits.get(row.holder) ?? 0n),
    ),
    ...periods
      .filter(({ state }) => state === 'settled' || state === 'published')
      .flatMap((row) => publicationDifferences(row, events.get(idOf(row)) ?? [])),
    ...settled
      .filter(({ position }) => position <= head)
      .filter((event) => {
        const state = recorded.get(idOf(event))?.state;
        return state !== 'settled' && state !== 'published';
      })
      .map(({ holder, period, position }) => ({
        holder,
        what: `UsageSettled of period ${period} at position ${position}`,
        expected: 'a settled period',
        found: recorded.get(idOf({ holder, period }))?.state ?? 'none',
      })),
    ...reservations.flatMap(reservationDifferences),
  ].sort((a, b) => (a.holder < b.holder ? -1 : a.holder > b.holder ? 1 : 0));
};
