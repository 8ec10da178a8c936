import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Canonical form of a network: `203.0.113.7` → `203.0.113.7/32`, `10.1.2.3/8` → `10.0.0.0/8`, `::ffff:10.0.0.1` →
 * `10.0.0.1/32`. Null if the text is not an IPv4 or IPv6 address or network.
 */
export const parseNetwork = (text: string): string | null => {
  const match = /^([0-9a-fA-F:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text);
  // Checked strictly first: ipaddr.js also accepts 127.1, 0x7f.1 and octal numbers.
  if (match === null || isIP(match[1] as string) === 0) return null;
  const written = ipaddr.parse(match[1] as string);
  const mapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress();
  const address = mapped ? written.toIPv4Address() : written;
  const writtenWidth = written.kind() === 'ipv4' ? 32 : 128;
  const writtenBits = match[2] === undefined ? writtenWidth : Number(match[2]);
  // The first 96 bits mark an IPv4-mapped network. A shorter prefix is an IPv6 network.
  if (writtenBits > writtenWidth) return null;
  if (mapped && writtenBits < 96) return maskedOf(written, writtenBits);
  return maskedOf(address, mapped ? writtenBits - 96 : writtenBits);
};

/**
 * Canonical form of an address: `::ffff:10.0.0.1` → `10.0.0.1`. Null for anything else, including networks and
 * addresses with a port.
 */
export const addressOf = (text: string): string | null => {
  if (text.includes('/')) return null;
  const network = parseNetwork(text);
  return network === null ? null : network.slice(0, network.indexOf('/'));
};

/** The key by which callers are throttled: an IPv4 address, or the /64 of an IPv6 address; `unknown` for anything else. */
export const callerOf = (text: string): string => {
  const address = addressOf(text);
  if (address === null) return 'unknown';
  if (isIP(address) === 4) return address;
  return (ipaddr.parse(address) as ipaddr.IPv6).parts.slice(0, 4).join(':');
};

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/**
 * Matches addresses against a list of addresses, networks and `loopback`.
 * @throws if an entry is none of these.
 */
export const createMatcher = (networks: readonly string[]): ((text: string) => boolean) => {
  const ranges = networks
    .flatMap((network) => (network === 'loopback' ? LOOPBACK : [network]))
    .map((network) => ipaddr.parseCIDR(parseNetwork(network) ?? network));
  return (text) => {
    const address = addressOf(text);
    if (address === null) return false;
    const ip = ipaddr.parse(address);
    return ranges.some(([range, bits]) => range.kind() === ip.kind() && ip.match([range, bits] as never));
  };
};

const maskedOf = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string => {
  const bytes = address.toByteArray().map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - i * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
};
