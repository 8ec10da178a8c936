import type { AccountKey } from '../../read/accounts/lookups.ts';
import type { EndpointRequest } from './endpoint.ts';

/** Counts an account that the catalog lacks as demand, by its handle or `id:` and its native ID. */
export const countDemand = (
  {
    services,
    caller,
    afterAdmission,
  }: Pick<EndpointRequest<unknown, unknown, unknown>, 'services' | 'caller' | 'afterAdmission'>,
  { platform, by, value }: AccountKey,
): void =>
  afterAdmission(() => services.demand.count(platform, by === 'id' ? `id:${value}` : value, caller.holder));
