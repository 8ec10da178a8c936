import { parseNetwork } from '../cidr.ts';
import { type Platform, platformSchema } from '../platform.ts';

/** Parses `loopback` and networks into canonical form; null if a part is neither. */
export const proxiesOf = (text: string): readonly string[] | null => {
  const parts = text.split(',').map((part) => part.trim());
  const proxies = parts.map((part) => (part === 'loopback' ? part : parseNetwork(part)));
  return proxies.some((proxy) => proxy === null) ? null : (proxies as readonly string[]);
};

/** Parses origins of browsers, or `*` for any; null if a part is none. */
export const originsOf = (text: string): readonly string[] | null => {
  const origins = text.split(',').map((part) => part.trim());
  const isOrigin = (part: string) =>
    URL.canParse(part) && /^https?:$/.test(new URL(part).protocol) && new URL(part).origin === part;
  return origins.every((part) => part === '*' || isOrigin(part)) ? origins : null;
};

const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9][a-z0-9-]{0,62})*\.[a-z][a-z0-9-]{1,62}$/;

/** Parses host names; null if a part is none. */
export const hostsOf = (text: string): readonly string[] | null => {
  const hosts = text.split(',').map((part) => part.trim().toLowerCase());
  return hosts.every((host) => HOST.test(host)) ? hosts : null;
};

/** An account with a known status. */
export interface KnownAccount {
  readonly platform: Platform;
  readonly status: 'present' | 'private' | 'suspended';
  readonly handle: string;
}

/** Parses `platform:status:handle` parts; null if one is malformed. */
export const probesOf = (text: string): readonly KnownAccount[] | null => {
  const parts = text.split(',').map((part): KnownAccount | null => {
    const [, name = '', status = '', handle = ''] =
      /^([a-z]+):(present|private|suspended):(\S{1,253})$/.exec(part.trim()) ?? [];
    const platform = platformSchema.safeParse(name);
    return platform.success && handle !== ''
      ? { platform: platform.data, status: status as KnownAccount['status'], handle }
      : null;
  });
  return parts.some((part) => part === null) ? null : (parts as readonly KnownAccount[]);
};

/** Parses `operation=query-id` and `operation=query-id/name` parts; null if one is malformed. */
export const operationsOf = (text: string): Readonly<Record<string, string>> | null => {
  const operations: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, operation, id, name = operation] =
      /^(\w{1,60})=([\w-]{1,60})(?:\/(\w{1,60}))?$/.exec(part.trim()) ?? [];
    if (operation === undefined || id === undefined) return null;
    operations[operation] = `${id}/${name}`;
  }
  return operations;
};

/** Parses names of platforms; null if one is unknown. */
export const platformsOf = (text: string): readonly Platform[] | null => {
  const parsed = text.split(',').map((part) => platformSchema.safeParse(part.trim()));
  return parsed.every(({ success }) => success) ? parsed.map(({ data }) => data as Platform) : null;
};

/** Parses base64 of 32 bytes, several parts separated by commas; null if one is anything else. */
export const sealingKeysOf = (text: string): readonly string[] | null => {
  const keys = text.split(',').map((part) => part.trim());
  const isKey = (key: string): boolean => {
    const bytes = Buffer.from(key, 'base64');
    return bytes.length === 32 && bytes.toString('base64') === key;
  };
  return keys.every(isKey) ? keys : null;
};
