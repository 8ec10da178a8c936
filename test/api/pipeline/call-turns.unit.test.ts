import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { Metering } from '../../../src/api/pipeline/metering.ts';

const requestOf = (holder: string) => ({ caller: { holder } }) as unknown as FastifyRequest;

it('calls of one holder are answered a few at once and in order, and those of another are not held up', async () => {
  const metering = new Metering({} as ConstructorParameters<typeof Metering>[0]);
  const running = new Map([
    ['busy', 0],
    ['other', 0],
  ]);
  let most = 0;
  const begun: number[] = [];
  const gates: (() => void)[] = [];
  const call = (holder: string, n: number) =>
    metering.inTurn(requestOf(holder), false, async () => {
      running.set(holder, (running.get(holder) ?? 0) + 1);
      most = Math.max(most, running.get('busy') ?? 0);
      if (holder === 'busy') {
        begun.push(n);
        await new Promise<void>((resolve) => gates.push(resolve));
      }
      running.set(holder, (running.get(holder) ?? 0) - 1);
      if (n === 3) throw new Error('fails');
      return n;
    });
  const calls = Array.from({ length: 40 }, (_, n) => call('busy', n));
  const settled = Promise.allSettled(calls);
  expect(await call('other', 1)).toBe(1);
  expect(begun).toEqual([0, 1, 2, 3]);
  while (begun.length < 40 || gates.length > 0) {
    gates.shift()?.();
    await new Promise(setImmediate);
  }
  expect(most).toBe(4);
  expect(begun).toEqual(Array.from({ length: 40 }, (_, n) => n));
  expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

it('pages of more than one unit are answered one by one, beside the other calls', async () => {
  const metering = new Metering({} as ConstructorParameters<typeof Metering>[0]);
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const call = (name: string, isLarge: boolean) =>
    metering.inTurn(requestOf('busy'), isLarge, async () => {
      begun.push(name);
      await promise;
    });
  const calls = [call('page', true), call('next page', true), call('look-up', false)];
  await new Promise(setImmediate);
  expect(begun).toEqual(['page', 'look-up']);
  resolve();
  await Promise.all(calls);
  expect(begun).toEqual(['page', 'look-up', 'next page']);
});

it('calls of an endpoint take turns unless it says that they share their queries', async () => {
  const sharing = (await loadEndpoints()).filter(({ sharesQueries }) => sharesQueries === true);
  expect(sharing.map(({ operation }) => operation).toSorted()).toEqual(['checkAccount', 'getDirectoryEntry']);
});
