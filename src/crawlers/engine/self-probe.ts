import type { Config } from '../../kernel/config.ts';
import type { Random } from '../../kernel/random.ts';
import type { Http } from '../http/port.ts';
import type { Address, PlatformAdapter, Reading, Surface } from '../platforms/adapter.ts';
import { readStep } from '../platforms/shared/read-surfaces.ts';

/** Result of a self-probe. */
export interface ProbeResult {
  readonly findings: readonly ProbeFinding[];
  /** An existing account that was seen, so that the platform does not block us; null if none was. */
  readonly seen: string | null;
  /** The existing account that was asked for; null if none is known. */
  readonly present: string | null;
  /** Surfaces with a reading that said something, and what was asked. */
  readonly conclusive: readonly { readonly surface: string; readonly asked: string }[];
  /** Why readings were inconclusive. */
  readonly inconclusive: readonly {
    readonly surface: string;
    readonly asked: string;
    readonly reason: string;
  }[];
}

/** Handles with a known status, for self-probes. */
export interface ProbeNames {
  /** Public accounts. */
  readonly present: readonly string[];
  readonly private: readonly string[];
  readonly suspended: readonly string[];
}

const FINDINGS = ['blind', 'false_absence', 'false_privacy', 'false_presence', 'false_suspension'] as const;

/** Reasons of alarms that only a self-probe can end: other surfaces still succeed while one gives false verdicts. */
export const PROBE_ALARMS: ReadonlySet<string> = new Set(FINDINGS);

/**
 * Reads accounts with a known status through every surface separately. A blocked read is inconclusive; a false
 * verdict means that a surface's meaning has changed. Since accounts do change, a verdict only counts as false for
 * two accounts, or if only one is known.
 * @param names accounts with a known status; unused random handles are always tried as well.
 */
export const probe = async (
  adapter: PlatformAdapter,
  http: Http,
  random: Random,
  names: ProbeNames,
): Promise<ProbeResult> => {
  const findings: ProbeFinding[] = [];
  const existing: Reading[] = [];
  let present: string | null = null;
  const conclusive = new Map<string, ProbeResult['conclusive'][number]>();
  const ids = new Map<string, string>();
  const inconclusive = new Map<string, ProbeResult['inconclusive'][number]>();
  const read = async (surface: Surface, address: Address): Promise<Reading | null> => {
    const id = ids.get(textOf(address));
    const asked =
      surface.request(address) === null && id !== undefined ? { kind: 'id' as const, id } : address;
    const request = surface.request(asked);
    if (request === null) return null;
    const reading = await readStep(http, { surface, request }, asked);
    if ((reading.status === 'present' || reading.status === 'private') && reading.profile.id !== null)
      ids.set(textOf(address), reading.profile.id);
    const one = { surface: surface.name, asked: textOf(asked) };
    if (reading.status !== 'unknown') conclusive.set(`${one.surface} ${one.asked}`, one);
    else inconclusive.set(`${one.surface} ${one.asked}`, { ...one, reason: reading.reason });
    return reading;
  };

  const known = async (
    kind: keyof ProbeNames,
    surface: Surface,
    first: string,
    second: string | undefined,
  ) => {
    const reading = await read(surface, { kind: 'handle', handle: first });
    if (reading === null) return;
    if (kind === 'present') {
      existing.push(reading);
      present = first;
    }
    const reason = FALSE_IN[kind](reading);
    if (reason === null) return;
    const again = second === undefined ? reading : await read(surface, { kind: 'handle', handle: second });
    if (again === null || FALSE_IN[kind](again) !== reason) return;
    const detail = `${surface.name} reports ${first} as ${reading.status}, but it is ${kind}`;
    findings.push({ reason, surface: surface.name, detail });
  };

  for (const kind of ['present', 'private', 'suspended'] as const) {
    const list = names[kind].map((name) => adapter.parseHandle(name) ?? name);
    if (list.length === 0) continue;
    const first = list[random.int(list.length)] ?? '';
    const second = list.find((other) => other !== first);
    for (const surface of adapter.surfaces) await known(kind, surface, first, second);
  }
  const strangers = [unusedHandle(adapter, random), unusedId(adapter, random)];
  for (const surface of adapter.surfaces) {
    const stranger = strangers.find((address) => address !== null && surface.request(address) !== null);
    const reading = stranger == null ? null : await read(surface, stranger);
    const reason = reading === null ? null : FALSE_IN.unused(reading);
    if (stranger == null || reading === null || reason === null) continue;
    const detail = `${surface.name} reports ${textOf(stranger)} as ${reading.status}, but the name is unused`;
    findings.push({ reason, surface: surface.name, detail });
  }

  const unread = existing.find(
    (reading) => reading.status === 'unknown' && reading.reason === 'layout_changed',
  );
  const seen = existing.some(({ status }) => status === 'present') ? present : null;
  if (unread?.status === 'unknown' && seen === null) {
    const detail = `the page of an existing account does not parse: ${unread.surface}: ${unread.detail}`;
    findings.push({ reason: 'blind', surface: null, detail });
  }
  return {
    ...{ findings, seen, present },
    ...{ conclusive: [...conclusive.values()], inconclusive: [...inconclusive.values()] },
  };
};

/** Accounts of a platform with a known state, for its engine's self-probes. */
export const probeNames = (
  config: Pick<Config, 'CRAWL_PROBES' | 'SIMULATOR_URL'>,
  { platform, probes }: PlatformAdapter,
): ProbeNames => {
  const configured = (config.CRAWL_PROBES ?? []).filter((each) => each.platform === platform);
  const of = (status: keyof ProbeNames) =>
    configured.filter((each) => each.status === status).map((each) => each.handle);
  // The simulator does not have the real accounts.
  const real = config.SIMULATOR_URL === undefined ? probes : [];
  return { present: [...of('present'), ...real], private: of('private'), suspended: of('suspended') };
};

/** A problem found by a self-probe. */
interface ProbeFinding {
  readonly reason: (typeof FINDINGS)[number];
  /** The surface with a false verdict; null if no surface shows an existing account. */
  readonly surface: string | null;
  readonly detail: string;
}

const LETTERS = 'bcdfghjklmnpqrstvwxz';

const drawn = (random: Random, letters: string, n: number): string =>
  Array.from({ length: n }, () => letters[random.int(letters.length)]).join('');

/** A handle that nobody uses: fourteen random consonants. */
const unusedHandle = (adapter: PlatformAdapter, random: Random): Address => {
  const name = drawn(random, LETTERS, 14);
  return { kind: 'handle', handle: adapter.parseHandle(name) ?? `${name}${adapter.sharedEnd ?? ''}` };
};

/** An unused ID, for surfaces that only accept IDs; null if the platform's IDs can't be used. */
const unusedId = (adapter: PlatformAdapter, random: Random): Address | null => {
  const id = [`UC${drawn(random, LETTERS, 22)}`, `did:plc:${drawn(random, LETTERS, 24)}`].find((each) =>
    adapter.isBareId(each),
  );
  return id === undefined ? null : { kind: 'id', id };
};

type Reason = ProbeFinding['reason'];

/** The false part of a verdict, by the account's known status; null if it is right or inconclusive. */
const FALSE_IN: Readonly<Record<keyof ProbeNames | 'unused', (reading: Reading) => Reason | null>> = {
  present: ({ status }) => {
    if (status === 'private') return 'false_privacy';
    return status === 'present' || status === 'unknown' ? null : 'false_absence';
  },
  private: (reading) => {
    // A surface that does not show privacy only claims existence.
    if (reading.status === 'present') return reading.measured.includes('private') ? 'false_presence' : null;
    return reading.status === 'private' || reading.status === 'unknown' ? null : 'false_absence';
  },
  // Some surfaces show a suspended account as absent.
  suspended: ({ status }) => (status === 'present' || status === 'private' ? 'false_presence' : null),
  unused: ({ status }) => {
    if (status === 'present' || status === 'private') return 'false_presence';
    return status === 'suspended' || status === 'deactivated' ? 'false_suspension' : null;
  },
};

const textOf = (address: Address): string => (address.kind === 'handle' ? address.handle : address.id);
