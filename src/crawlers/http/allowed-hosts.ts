import ipaddr from 'ipaddr.js';
import { FetchError } from './port.ts';

/** Whether a host is listed: exactly, or below an entry that starts with a dot. */
const isListed = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));

/**
 * Parses a URL and checks it against SSRF: https, no credentials, default port, a listed host. IP addresses are
 * rejected, since no DNS check would cover them.
 * @throws {FetchError} host_refused
 */
export const checkedUrl = (address: string, hosts: readonly string[]): URL => {
  // Parsers disagree about the host if there are backslashes or blanks.
  const url = !/[\\\s]/.test(address) && URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw new FetchError('host_refused', `Not a URL: ${address.slice(0, 200)}`);
  const why = refusal(url, hosts);
  if (why !== null) throw new FetchError('host_refused', `${why}: ${url.origin}`);
  return url;
};

/** Whether a redirect to this URL may be followed. */
export const isAllowed = (url: URL, hosts: readonly string[]): boolean => refusal(url, hosts) === null;

/** The URL parser normalizes IP addresses to `[…]` or dotted digits; the last label of a name is never a number. */
const isAddress = (hostname: string): boolean =>
  hostname.startsWith('[') || (/\d$/.test(hostname) && ipaddr.isValid(hostname));

const refusal = (url: URL, hosts: readonly string[]): string | null => {
  if (url.protocol !== 'https:') return 'Only https is fetched';
  if (url.username !== '' || url.password !== '') return 'URLs with credentials are not fetched';
  if (url.port !== '') return 'Only the default port is fetched';
  // The URL parser has normalized 127.1, 0x7f.1, 017700000001 and full-width digits.
  if (isAddress(url.hostname)) return 'An IP address in place of a host name';
  return isListed(url.hostname, hosts) ? null : "The host is not one of this platform's";
};
