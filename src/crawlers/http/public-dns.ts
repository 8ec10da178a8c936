import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { FetchError } from './port.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** DNS look-up: all addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolve: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Whether an address is public: not private, local, mapped or tunnelled. */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Only 2000::/3 is allocated (RFC 4291); others, such as ::127.0.0.1, only count as unicast by default.
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
};

/**
 * The addresses of a host; one non-public address rejects the whole result.
 * @throws {FetchError} host_refused
 */
const checkedAddresses = async (
  resolve: Resolve,
  hostname: string,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> => {
  const [first, ...others] = await resolve(hostname);
  const bad = [first, ...others].find((one) => one !== undefined && !isPublic(one.address));
  if (bad !== undefined || first === undefined) {
    const what = bad === undefined ? 'to nothing' : `to ${bad.address}, which is not public`;
    throw new FetchError('host_refused', `${hostname} resolves ${what}`);
  }
  return [first, ...others];
};

/**
 * The public address of a host, for those who connect by address.
 * @throws {FetchError} host_refused
 */
export const checkedAddress = async (resolve: Resolve, hostname: string): Promise<ResolvedAddress> =>
  (await checkedAddresses(resolve, hostname))[0];

/**
 * Look-up used for connecting. Checked addresses are the connected ones, which prevents DNS rebinding.
 */
export const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    checkedAddresses(resolve, hostname).then(
      (addresses) => {
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: Error) => callback(error, []),
    );
  };
