import type { LiveReading } from '../../crawlers/live-read/port.ts';
import type { Address } from '../../crawlers/platforms/adapter.ts';
import { hasStream } from '../../platforms/index.ts';
import type { AccountKey } from '../../read/accounts.ts';
import type { AccountStatus } from '../../write/accounts/account.ts';

export const addressOf = ({ by, value }: AccountKey): Address =>
  by === 'id' ? { kind: 'id', id: value } : { kind: 'handle', handle: value };

/** Whether a verdict on an account that the catalog does not know is recorded. */
export const isRecorded = ({ platform, by, value }: AccountKey): boolean =>
  by === 'handle' || hasStream(platform, value);

export const statusOfReading = ({ status }: Pick<LiveReading['reading'], 'status'>): AccountStatus =>
  status === 'present' ? 'active' : status;
