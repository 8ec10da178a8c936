/**
 * Converts Postgres's text of a timestamptz, in a UTC session, to ISO 8601 with milliseconds. Cheaper than
 * constructing a Date. `2026-11-21 08:42:07.12+00` → `2026-11-21T08:42:07.120Z`
 */
export const timestampOf = (text: string): string => {
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -3) : '';
  const ms = fraction.length >= 3 ? fraction.slice(0, 3) : fraction.padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${ms}Z`;
};

/**
 * Array parameters of hot statements in Postgres's text format, which the driver sends unchanged. The driver's own serializer
 * escapes each element with two regular expressions.
 */
export const numberArray = (values: readonly number[]): string => `{${values.join(',')}}`;

const SPECIAL = /["\\]/;
const SPECIALS = /["\\]/g;

export const textArray = (values: readonly string[]): string => {
  let text = '';
  for (const value of values) {
    const escaped = SPECIAL.test(value) ? value.replaceAll(SPECIALS, '\\$&') : value;
    text += text === '' ? `"${escaped}"` : `,"${escaped}"`;
  }
  return `{${text}}`;
};

const OID = { text: 25, uuid: 2950 } as const;
const HEAD_BYTES = 20;
const UUID_BYTES = 16;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (value: string): boolean => UUID.test(value);

/** Writes the header of a one-dimensional array without nulls. An empty array has no dimension. */
const writeHead = (out: Buffer, oid: number, length: number): void => {
  out.writeInt32BE(length === 0 ? 0 : 1, 0);
  out.writeInt32BE(0, 4);
  out.writeInt32BE(oid, 8);
  if (length === 0) return;
  out.writeInt32BE(length, 12);
  out.writeInt32BE(1, 16);
};

const headBytes = (length: number): number => (length === 0 ? 12 : HEAD_BYTES);

/**
 * Encodes a text[] in Postgres's binary format (array_recv), which the driver sends unchanged. The text format would escape and
 * unescape every quote in JSON.
 */
export const binaryTextArray = (values: readonly string[]): Buffer => {
  let at = headBytes(values.length);
  // A UTF-16 unit takes at most three bytes in UTF-8.
  const out = Buffer.allocUnsafe(values.reduce((bytes, value) => bytes + 4 + value.length * 3, at));
  writeHead(out, OID.text, values.length);
  for (const value of values) {
    const length = out.write(value, at + 4, 'utf8');
    out.writeInt32BE(length, at);
    at += 4 + length;
  }
  return out.subarray(0, at);
};

/**
 * Encodes a uuid[] in Postgres's binary format.
 *
 * @throws {TypeError} if a value is not a UUID with hyphens
 */
export const binaryUuidArray = (values: readonly string[]): Buffer => {
  let at = headBytes(values.length);
  const out = Buffer.allocUnsafe(at + values.length * (4 + UUID_BYTES));
  writeHead(out, OID.uuid, values.length);
  for (const value of values) {
    if (!isUuid(value)) throw new TypeError(`not a UUID: ${value}`);
    out.writeInt32BE(UUID_BYTES, at);
    out.write(value.replaceAll('-', ''), at + 4, 'hex');
    at += 4 + UUID_BYTES;
  }
  return out;
};

/**
 * Disables the driver's parsers, for statements whose rows are compared as text, or of which each request parses only some columns.
 */
export const RAW_TYPES = { getTypeParser: () => (value: string) => value } as const;
