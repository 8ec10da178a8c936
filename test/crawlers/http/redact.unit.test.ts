import { describe, expect, it } from 'vitest';
import { redactBody } from '../../../src/crawlers/http/recording.ts';

/** Processor time of redacting a text, the least of three. */
const workOf = (text: string): number => {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    redactBody(text);
    return process.cpuUsage(before).user;
  });
  return Math.max(1_000, Math.min(...times));
};

describe('redacting a body', () => {
  it.each(['\\', '<input', '<input ', '"a":"', '\\"a\\":\\"', '<input name="token" ', '"', '\\"'])(
    'takes work in proportion to its length, whatever repeats: %s',
    (part) => {
      const of = (length: number) => part.repeat(length / part.length);
      // Eight times the text: eight times the work, where a quadratic one would be sixty-four times.
      expect(workOf(of(800_000)) / workOf(of(100_000))).toBeLessThan(30);
    },
  );

  it('removes secrets from fields, nested strings and inputs', () => {
    expect(redactBody('{"csrf_token":"abc","name":"nasa"}')).toBe('{"csrf_token":"redacted","name":"nasa"}');
    expect(redactBody('"{\\"token\\":\\"abc\\"}"')).toBe('"{\\"token\\":\\"redacted\\"}"');
    expect(redactBody('<p><input name="csrf" value="abc"><input name=q value=b></p><input')).toBe(
      '<p><input name="csrf" value="redacted"><input name=q value=b></p><input',
    );
  });
});
