import ipaddr from 'ipaddr.js';
import { FetchError } from './port.ts';

/** Whether a host name is on the list: exactly, or below an entry that starts with a dot. */
const isListed = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));

/**
 * Parses an address and checks that it may be fetched: https, no credentials, the default port, a listed host.
 * Numbers in place of a name never pass, since no name look-up would be there to check them.
 * @throws {FetchError} host_refused
 */
export const checkedUrl = (address: string, hosts: readonly string[]): URL => {
  // Backslashes and blanks are where parsers disagree on which part is the host.
  const url = !/[\\\s]/.test(address) && URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw new FetchError('host_refused', `Not an address: ${address.slice(0, 200)}`);
  const why = refusal(url, hosts);
  if (why !== null) throw new FetchError('host_refused', `${why}: ${url.origin}`);
  return url;
};

/** Whether a redirect may be followed to this address. */
export const isAllowed = (url: URL, hosts: readonly string[]): boolean => refusal(url, hosts) === null;

/** The URL parser leaves an address as `[…]` or dotted digits; a name's last part is never a number. */
const isAddress = (hostname: string): boolean =>
  hostname.startsWith('[') || (/\d$/.test(hostname) && ipaddr.isValid(hostname));

const refusal = (url: URL, hosts: readonly string[]): string | null => {
  if (url.protocol !== 'https:') return 'Only https is fetched';
  if (url.username !== '' || url.password !== '') return 'An address with credentials is not fetched';
  if (url.port !== '') return 'Only the default port is fetched';
  // The URL parser has already turned 127.1, 0x7f.1 and 017700000001 into dotted digits, and full-width ones too.
  if (isAddress(url.hostname)) return 'Digits in place of a host name';
  return isListed(url.hostname, hosts) ? null : "The host is not one of this platform's";
};
