import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Random } from '../../kernel/random.ts';
import type { AccountReads } from '../../read/accounts.ts';
import type { AccountSnapshots } from '../../write/accounts/account.ts';
import type { ControlCopies } from '../../write/engines.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { Frontier } from '../frontier.ts';
import type { RateLimitedHttp } from '../http/rate-limited-http.ts';
import type { PlatformAdapter } from '../platforms/adapter.ts';
import type { CurrentPools } from '../pools/current-pools.ts';
import type { Recruiter } from '../recruiter.ts';
import type { Controls } from './controls.ts';
import type { LiveTraffic } from './live-traffic.ts';
import type { ProbeNames } from './self-probe.ts';

export interface EngineOptions {
  readonly adapter: PlatformAdapter;
  /** Identifies this process among those that crawl the platform. */
  readonly worker: string;
  readonly http: RateLimitedHttp;
  readonly liveTraffic: LiveTraffic;
  readonly log: EventLog;
  /** States of known accounts, so that their streams need not be read. */
  readonly snapshots?: AccountSnapshots;
  /** What is known of accounts, for verdicts that take more answers if they are news. */
  readonly accounts?: Pick<AccountReads, 'find' | 'verdict'>;
  /** While the log is unavailable no account is leased, and readings in progress are held. */
  readonly availability: Pick<LogAvailability, 'isUnavailable' | 'untilBack'>;
  readonly frontier: Frontier;
  readonly pools: Pick<CurrentPools, 'whileActive' | 'confirmed' | 'revision'>;
  /** What operators decided; asked before every request. */
  readonly controls: Controls;
  readonly controlCopies: ControlCopies;
  readonly recruiter: Pick<Recruiter, 'recruit'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly concurrency: number;
  readonly posts: boolean;
  /** Pages of posts that a reading takes at most; 1 by default. */
  readonly postPages?: number;
  /** Accounts with a known status, for self-probes; public ones only until some were seen. */
  readonly probes: ProbeNames;
  /** First delay after an inconclusive reading; doubles with each consecutive one. */
  readonly retryMs: number;
  /** Called with the outcome of each reading. */
  readonly onReading?: (outcome: string) => void;
}
