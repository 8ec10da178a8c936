import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { intoStdout } from '../../../src/operations/events/output-sink.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../../support/hidden-characters.ts';

it.each([
  [true, 'without hidden characters at a terminal'],
  [false, 'exactly into a pipe'],
])('an export at a terminal (%s) is written %s', async (isTTY) => {
  let written = '';
  const stdout = new Writable({
    write: (chunk, _, done) => {
      written += String(chunk);
      done();
    },
  });
  await intoStdout(new AbortController().signal, Object.assign(stdout, { isTTY })).write(WITH_ALL_HIDDEN);
  expect(written === WITH_ALL_HIDDEN).toBe(!isTTY);
  expect(hiddenIn(written).length > 0).toBe(!isTTY);
});
