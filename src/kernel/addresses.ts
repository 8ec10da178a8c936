import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A network in its one normal form: `203.0.113.7` → `203.0.113.7/32`, `10.1.2.3/8` → `10.0.0.0/8`,
 * `::ffff:10.0.0.1` → `10.0.0.1/32`. Null where the text is no address or network of IPv4 or IPv6.
 */
export const networkOf = (text: string): string | null => {
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

const maskedOf = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string => {
  const bytes = address.toByteArray().map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - i * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
};
