/**
 * Writes numbers and text into a buffer that grows. Integers up to 2^53 take seven bits a byte, lowest first
 * (LEB128).
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(4_096);
  #length = 0;

  #grow(by: number): void {
    if (this.#length + by <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafe(2 * (this.#bytes.length + by));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }

  byte(value: number): void {
    this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  uint32(value: number): void {
    this.#grow(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  /** A non-negative integer. */
  integer(value: number): void {
    this.#grow(8);
    let rest = value;
    // Bit operations are of 32 bits only.
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** An integer of either sign (zigzag). */
  signed(value: number): void {
    this.integer(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A non-negative integer, or null. */
  nullable(value: number | null): void {
    this.integer(value === null ? 0 : value + 1);
  }

  /** UTF-8, after its length. */
  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.integer(size);
    this.#grow(size);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** What was written, copied; the writer is empty afterwards. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }
}

/** Reads what `ByteWriter` wrote, in the same order. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws {RangeError} at the end. */
  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new RangeError('the packed row ends early');
    return value;
  }

  uint32(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  integer(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    const value = this.integer();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  nullable(): number | null {
    const value = this.integer();
    return value === 0 ? null : value - 1;
  }

  text(): string {
    const size = this.integer();
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new RangeError('the packed row ends early');
    const value = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return value;
  }
}
