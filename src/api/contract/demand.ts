import { z } from 'zod';
import type { AccountKey } from '../../read/accounts.ts';
import { NOT_QUEUED, type NotQueued } from '../../write/demand.ts';
import type { EndpointRequest } from './endpoint.ts';

/** Whether an account that the catalog lacks will be read. */
export interface Demanded {
  readonly queued: boolean;
  readonly queued_reason?: NotQueued;
}

/** Fields of an answer or error about an account that the catalog lacks. */
export const demandedShape = {
  queued: z
    .boolean()
    .optional()
    .describe('For an unknown account: whether crawlers will read it, as this request asks.'),
  queued_reason: z
    .enum(Object.keys(NOT_QUEUED) as [NotQueued, ...NotQueued[]])
    .optional()
    .describe(
      `For an unknown account that is not queued: the reason. ${Object.entries(NOT_QUEUED)
        .map(([reason, text]) => `\`${reason}\`: ${text}.`)
        .join(' ')}`,
    ),
};

/** Counts an account that the catalog lacks as demand. @returns whether crawlers will read it. */
export const demand = async (
  {
    services,
    caller,
    afterAdmission,
  }: Pick<EndpointRequest<unknown, unknown, unknown>, 'services' | 'caller' | 'afterAdmission'>,
  { platform, by, value }: AccountKey,
): Promise<Demanded> => {
  const account = by === 'id' ? `id:${value}` : value;
  afterAdmission(() => services.demand.count(platform, account, caller.holder));
  const lacking = await services.demandOutlook({ platform, account, holder: caller.holder });
  return lacking === null ? { queued: true } : { queued: false, queued_reason: lacking };
};

/** The message about an account that the catalog lacks. */
export const demandText = ({ queued_reason }: Demanded): string =>
  queued_reason === undefined
    ? 'not in the catalog; crawlers will read it'
    : `not in the catalog, and not queued: ${NOT_QUEUED[queued_reason]}`;
