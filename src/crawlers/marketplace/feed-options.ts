import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Random } from '../../kernel/random.ts';
import type { ControlCopies } from '../../write/engines.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { MarketRecorder } from '../../write/marketplace/listing.ts';
import type { Controls } from '../engine/controls.ts';
import type { Transport } from '../http/port.ts';
import type { FeedCaps, FeedIntervals } from './feed-position.ts';

export interface FeedEngineOptions {
  /** Base of the feed; `cursor` and `updated_since` are added to it. */
  readonly url: string;
  /** Name of the source: IDs of its listings begin with it. */
  readonly source: string;
  readonly worker: string;
  readonly http: Transport<'marketplace'>;
  readonly db: Queryable;
  /** Schema of the build of `listings`. @throws if there is none. */
  readonly schema: () => string;
  readonly recorder: MarketRecorder;
  readonly log: EventLog;
  readonly availability: Pick<LogAvailability, 'isUnavailable' | 'untilBack'>;
  /** What operators decided; asked before every page. */
  readonly controls: Controls;
  readonly controlCopies: ControlCopies;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly ratePerS: number;
  /** First pause after failures; doubles with each. */
  readonly retryMs: number;
  readonly intervals: FeedIntervals;
  readonly caps: FeedCaps;
  /** Called with the outcome of each page. */
  readonly onReading?: (outcome: string) => void;
}
