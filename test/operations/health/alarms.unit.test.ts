import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALARMS, OWN_ALARMS } from '../../../src/operations/health/alarms.ts';
import { createDiskWatch, RESERVE_BYTES } from '../../../src/operations/health/disk.ts';
import { decideAlarm, type Held } from '../../../src/operations/health/evaluate.ts';
import type { Facts } from '../../../src/operations/health/facts.ts';
import { MEASURES, measure } from '../../../src/operations/health/measures.ts';
import { missingRoles, missingText, type ServiceProcess } from '../../../src/operations/health/processes.ts';
import type { EngineState } from '../../../src/read/engines.ts';
import { type AlarmEvent, alarmDecider, changeAlarm } from '../../../src/write/alarms.ts';

const NOW = Date.UTC(2026, 10, 28);
const alarmOf = (name: string) => {
  const found = OWN_ALARMS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no alarm ${name}`);
  return found;
};

const process: ServiceProcess = {
  id: '1',
  host: 'alpha',
  roles: ['api', 'crawl', 'project'],
  stopped: false,
  silent_s: 1,
  requests: 1_000,
  failed: 0,
  disk_free: 100 * 2 ** 30,
  disk_hours_left: null,
  erasures: -1,
  console: null,
};

const engine = {
  key: 'x',
  platform: 'x',
  status: 'healthy',
  row: { read_at: new Date(NOW - 1_000).toISOString() },
  pause: null,
  successRate: 1,
  outcomes: { active: 100 },
  freshness: { p50_s: 10, p95_s: 100, p99_s: 200, target_s: 3_600 },
  perMin: { '1m': 60, '1h': 60, '24h': 60 },
  backlog: 10,
  oldestDueS: 30,
  pools: [{ pool: 'seed-x', members: 5, backlog: 2 }],
} as unknown as EngineState;

/** A service that has no trouble. */
const SOUND: Facts = {
  nowMs: NOW,
  processes: [process],
  lags: [{ projection: 'directory', seconds: 0 }],
  stalls: [],
  parked: [],
  relay: [0],
  engines: [engine],
  pools: {
    rows: [{ pool: 'seed-x', size_cap: 10, retired_at: null }] as never,
    mostAccounts: 1_000,
  },
  sessions: [
    { platform: 'x', status: 'active' },
    { platform: 'x', status: 'retired' },
  ],
  balances: [{ holder: 'acme', usd: 12 }],
  backupsMs: [NOW - 3_600_000],
  research: [false],
  pending: [{ projection: 'directory', builds: 0 }],
};

/** What raises each alarm, and its subject. */
const TROUBLE: Readonly<Record<string, readonly [Partial<Facts>, subject: string]>> = {
  RoleMissing: [{ processes: [{ ...process, silent_s: 8 }] }, 'project'],
  RequestsFailing: [{ processes: [{ ...process, failed: 60 }] }, 'service'],
  ProjectionLagging: [{ lags: [{ projection: 'directory', seconds: 121 }] }, 'directory'],
  ProjectionStalled: [{ stalls: [{ projection: 'directory', partition: 'x' }] }, 'directory'],
  StreamsParked: [{ parked: [{ projection: 'directory', streams: 1 }] }, 'directory'],
  RelayLagging: [{ relay: [121] }, 'service'],
  NoReadings: [
    {
      engines: [
        { ...engine, oldestDueS: 500, row: { read_at: new Date(NOW - 181_000).toISOString() } as never },
      ],
    },
    'x',
  ],
  EngineDegraded: [{ engines: [{ ...engine, status: 'blocked' }] }, 'x'],
  ReadingsInconclusive: [{ engines: [{ ...engine, successRate: 0.4 }] }, 'x'],
  FreshnessMissed: [{ engines: [{ ...engine, freshness: { ...engine.freshness, p95_s: 3_700 } }] }, 'x'],
  BacklogOld: [{ engines: [{ ...engine, oldestDueS: 86_401 }] }, 'x'],
  SessionsUsedUp: [{ sessions: [{ platform: 'x', status: 'resting' }] }, 'x'],
  WalletEmpty: [{ balances: [{ holder: 'acme', usd: 0 }] }, 'acme'],
  DiskFilling: [{ processes: [{ ...process, disk_hours_left: 23 }] }, 'alpha'],
  DiskNearlyFull: [{ processes: [{ ...process, disk_free: 2 ** 30 }] }, 'alpha'],
  BackupOld: [{ backupsMs: [NOW - 49 * 3_600_000] }, 'service'],
  ResearchFailed: [{ research: [true] }, 'service'],
  ResearchLimited: [
    { pools: { rows: [{ pool: 'seed-x', size_cap: 5, retired_at: null }] as never, mostAccounts: 5 } },
    'service',
  ],
};

/** The events of an alarm if facts stay as they are for so long. */
const eventsOf = (name: string, facts: Facts, seconds: number, raised: readonly string[] = []) => {
  const held: Held = new Map();
  let events: readonly AlarmEvent[] = [];
  for (let s = 0; s <= seconds && events.length === 0; s += 15)
    events = decideAlarm(alarmOf(name), measure(facts), new Set(raised), held, NOW + s * 1_000);
  return events;
};

describe('an alarm', () => {
  it('has a cause here, whichever it is', () => {
    expect(Object.keys(TROUBLE).sort()).toEqual(OWN_ALARMS.map(({ name }) => name).sort());
    expect(new Set(ALARMS.map(({ name }) => name)).size).toBe(ALARMS.length);
  });

  it.each(OWN_ALARMS)('$name is raised for its cause within four minutes, and not without it', (alarm) => {
    const [trouble, subject] = TROUBLE[alarm.name] as (typeof TROUBLE)[string];
    const facts = { ...SOUND, ...trouble };
    expect(eventsOf(alarm.name, facts, 240)).toContainEqual(
      expect.objectContaining({ type: 'AlarmRaised', data: expect.objectContaining({ subject }) }),
    );
    if (alarm.forS > 0) expect(eventsOf(alarm.name, facts, alarm.forS - 15)).toEqual([]);
    expect(eventsOf(alarm.name, SOUND, 600)).toEqual([]);
  });

  it.each(OWN_ALARMS)('$name is cleared a minute after its cause ended, and its text is whole', (alarm) => {
    const [trouble, subject] = TROUBLE[alarm.name] as (typeof TROUBLE)[string];
    expect(eventsOf(alarm.name, SOUND, 45, [subject])).toEqual([]);
    expect(eventsOf(alarm.name, SOUND, 60, [subject])).toMatchObject([
      { type: 'AlarmCleared', data: { subject } },
    ]);
    const [raised] = eventsOf(alarm.name, { ...SOUND, ...trouble }, 600);
    expect(raised?.data).toMatchObject({ detail: expect.not.stringMatching(/[{}]|undefined|NaN/) });
  });

  it.each(MEASURES)('says nothing of $name while that can’t be read', ({ name }) => {
    const nothing = Object.fromEntries(
      Object.keys(SOUND).map((key) => [key, key === 'nowMs' ? NOW : null]),
    ) as unknown as Facts;
    expect(measure(nothing)[name]).toBeNull();
    for (const { name: alarm, condition } of OWN_ALARMS) {
      if (condition.measure.name === name) expect(eventsOf(alarm, nothing, 600, ['raised'])).toEqual([]);
    }
  });

  it('is not raised again by a condition that holds now and then', () => {
    const held: Held = new Map();
    const [trouble] = TROUBLE.NoReadings as (typeof TROUBLE)[string];
    for (let n = 0; n < 20; n++) {
      const facts = n % 2 === 0 ? { ...SOUND, ...trouble } : SOUND;
      const events = decideAlarm(alarmOf('NoReadings'), measure(facts), new Set(), held, NOW + n * 15_000);
      expect(events).toEqual([]);
    }
  });
});

describe('the history of an alarm', () => {
  const at = new Date(NOW).toISOString();
  const raised: AlarmEvent = { type: 'AlarmRaised', data: { at, subject: 'x', value: 1, detail: 'x' } };
  const seen: AlarmEvent = { type: 'AlarmAcknowledged', data: { at, subject: 'x', note: 'seen' } };
  const cleared: AlarmEvent = { type: 'AlarmCleared', data: { at, subject: 'x' } };

  it('has each change once', () => {
    const all = [cleared, seen, raised, raised, seen, seen, cleared, cleared, raised];
    expect(changeAlarm(all)(alarmDecider.initial)).toEqual([raised, seen, cleared, raised]);
  });

  it('forgets that it was seen once it is raised again', () => {
    const state = [raised, seen, cleared, raised].reduce(alarmDecider.evolve, alarmDecider.initial);
    expect(state.get('x')?.acknowledged).toBeNull();
  });
});

describe('a role', () => {
  it('is missing once no process has it, with the host that had it last', () => {
    const gone = { ...process, id: '2', host: 'beta', roles: ['relay'], stopped: true, silent_s: 12.4 };
    const missing = missingRoles([process, gone, { ...gone, id: '3', host: 'gamma', silent_s: 90 }]);
    expect(missing).toEqual([{ role: 'relay', host: 'beta', stopped: true, silent_s: 12.4 }]);
    expect(missing.map(missingText)).toEqual([
      'no process has the role relay: the one on beta stopped 12 s ago',
    ]);
  });

  it('is there while another process has it', () => {
    expect(missingRoles([process, { ...process, id: '2', silent_s: 100 }])).toEqual([]);
  });
});

describe('space on the disk', () => {
  const HOUR_MS = 3_600_000;
  const GIB = 2 ** 30;
  const watched = async (free: readonly (readonly [atMs: number, bytes: number])[]) => {
    let bytes = 0;
    const disk = createDiskWatch('/home', async () => bytes);
    for (const [atMs, left] of free) {
      bytes = left;
      await disk.sample(atMs);
    }
    return disk;
  };

  it('is foretold from the pace of the last hour', async () => {
    const disk = await watched([
      [0, 100 * GIB],
      [HOUR_MS / 2, 95 * GIB],
      [HOUR_MS, 90 * GIB],
    ]);
    expect(disk.state()).toEqual({ freeBytes: 90 * GIB, growthPerHour: 10 * GIB, hoursLeft: 9 });
    expect(disk.check()).toMatchObject({
      ok: true,
      detail: '90.0 GiB free on the disk of SIGHTLINE_HOME, filling by 10.0 GiB an hour, full in 9.0 hours',
    });
  });

  it('is unknown in its pace for the first ten minutes, and where it does not fill', async () => {
    const young = await watched([
      [0, 100 * GIB],
      [HOUR_MS / 6 - 1, 90 * GIB],
    ]);
    expect(young.state()?.hoursLeft).toBeNull();
    const grown = await watched([
      [0, 90 * GIB],
      [HOUR_MS, 95 * GIB],
    ]);
    expect(grown.state()?.hoursLeft).toBeNull();
  });

  it('of a home that is not there yet is that of the folder above it', async () => {
    const disk = createDiskWatch(join(tmpdir(), 'no', 'such', 'home'));
    expect((await disk.sample(0)).freeBytes).toBeGreaterThan(0);
  });

  it('is used up before the disk is full', async () => {
    const disk = await watched([[0, RESERVE_BYTES - 1]]);
    expect(disk.isFull()).toBe(true);
    expect(disk.check()).toMatchObject({ ok: false, detail: expect.stringContaining('nothing is written') });
    expect((await watched([[0, RESERVE_BYTES]])).isFull()).toBe(false);
  });
});
