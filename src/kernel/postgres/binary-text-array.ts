const TEXT_OID = 25;
const HEAD_BYTES = 20;

/**
 * Encodes a text[] in Postgres's binary format (array_recv), which the driver passes through. The text format would
 * escape and unescape every quote in JSON.
 */
export const textArray = (values: readonly string[]): Buffer => {
  let bytes = HEAD_BYTES;
  // A UTF-16 unit takes at most three bytes in UTF-8.
  for (const value of values) bytes += 4 + value.length * 3;
  const out = Buffer.allocUnsafe(bytes);
  out.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  out.writeInt32BE(0, 4);
  out.writeInt32BE(TEXT_OID, 8);
  if (values.length === 0) return out.subarray(0, 12);
  out.writeInt32BE(values.length, 12);
  out.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const value of values) {
    const length = out.write(value, at + 4, 'utf8');
    out.writeInt32BE(length, at);
    at += 4 + length;
  }
  return out.subarray(0, at);
};
