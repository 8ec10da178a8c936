import type { Page } from '../../../src/crawlers/http/port.ts';
import type { Address, PlatformAdapter, Reading } from '../../../src/crawlers/platforms/adapter.ts';

/** An answer as it would come from a platform. */
export const page = (body: string, more: Partial<Page> = {}): Page => ({
  url: 'https://example.invalid/',
  status: 200,
  headers: {},
  body,
  bytes: Buffer.byteLength(body),
  ...more,
});

export const handle = (name: string): Address => ({ kind: 'handle', handle: name });

/** Parses a body with one of an adapter's surfaces. */
export const parseWith = (
  adapter: PlatformAdapter,
  surface: string,
  name: string,
  body: string | object,
  more: Partial<Page> = {},
): Reading => {
  const found = adapter.surfaces.find((each) => each.name === surface);
  if (found === undefined) throw new RangeError(`${adapter.platform} has no surface ${surface}`);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const address: Address = adapter.isBareId(name) ? { kind: 'id', id: name } : handle(name);
  return found.parse(page(text, { url: adapter.profileUrl(name), ...more }), address);
};

/** `unknown:reason`, or the status. */
export const verdict = (reading: Reading): string =>
  reading.status === 'unknown' ? `unknown:${reading.reason}` : reading.status;

export const shown = (reading: Reading) => {
  if (reading.status !== 'present' && reading.status !== 'private')
    throw new Error(`It says ${verdict(reading)}`);
  return reading;
};

export const script = (attributes: string, json: unknown): string =>
  `<html><body><p>before</p><script ${attributes}>${JSON.stringify(json)}</script></body></html>`;
