import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A network in its one normal form: `203.0.113.7` → `203.0.113.7/32`, `10.1.2.3/8` → `10.0.0.0/8`,
 * `::ffff:10.0.0.1` → `10.0.0.1/32`. Null where the text is no address or network of IPv4 or IPv6.
 */
export const parseNetwork = (text: string): string | null => {
  const match = /^([0-9a-fA-F:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text);
  // The strict grammar comes first: ipaddr.js also takes 127.1, 0x7f.1 and octal numbers.
  if (match === null || isIP(match[1] as string) === 0) return null;
  const written = ipaddr.parse(match[1] as string);
  const mapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress();
  const address = mapped ? written.toIPv4Address() : written;
  const writtenWidth = written.kind() === 'ipv4' ? 32 : 128;
  const writtenBits = match[2] === undefined ? writtenWidth : Number(match[2]);
  // A mapped network's first 96 bits say that it is one: with fewer it is a network of IPv6.
  if (writtenBits > writtenWidth) return null;
  if (mapped && writtenBits < 96) return maskedOf(written, writtenBits);
  return maskedOf(address, mapped ? writtenBits - 96 : writtenBits);
};

/**
 * One address in its one normal form: `::ffff:10.0.0.1` → `10.0.0.1`. Null where the text is anything else, a network
 * or an address with a port included.
 */
export const addressOf = (text: string): string | null => {
  if (text.includes('/')) return null;
  const network = parseNetwork(text);
  return network === null ? null : network.slice(0, network.indexOf('/'));
};

/** Who is counted together: an IPv4 address, or the /64 that one customer has of IPv6. All that is neither is one. */
export const callerOf = (text: string): string => {
  const address = addressOf(text);
  if (address === null) return 'unknown';
  if (isIP(address) === 4) return address;
  return (ipaddr.parse(address) as ipaddr.IPv6).parts.slice(0, 4).join(':');
};

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/**
 * Whether an address is one of those that are named: addresses, networks, or `loopback`.
 * @throws where one is neither.
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
