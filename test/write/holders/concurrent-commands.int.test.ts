import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/kernel/errors.ts';
import {
  creditWallet,
  type HolderDecision,
  holderDecider,
  holderStream,
  issueKey,
  registerHolder,
} from '../../../src/write/holders/holder.ts';
import { handleCommand } from '../../../src/write/log/command-handler.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { at, hashOf, plans } from './scenarios.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
  await ask(registerHolder({ holder: 'acme', name: 'Acme', plan: 'starter' }, plans, at));
});
afterAll(() => program.close());

const ask = (decide: HolderDecision) =>
  handleCommand(program.log, holderDecider, holderStream('acme'), decide, { nowMs: Date.now() });

const count = async (type: string): Promise<number> =>
  (await program.log.readStream(holderStream('acme'))).filter((event) => event.type === type).length;

describe('commands to one holder at once', () => {
  it('issue no more keys than the plan allows', async () => {
    const asked = Array.from({ length: 8 }, (_, n) => {
      const key = { keyId: `key_${n}`, hash: hashOf(n), scopes: null, label: null, expiresAt: null };
      return ask(issueKey('acme', key, plans, at));
    });
    const refused = (await Promise.allSettled(asked)).filter((one) => one.status === 'rejected');
    for (const { reason } of refused) expect(reason).toBeInstanceOf(OperatorError);
    expect(refused.length).toBe(5);
    expect(await count('KeyIssued')).toBe(3);
  });

  it('credit a reference once', async () => {
    const credit = creditWallet('acme', { amountMicroUsd: 5n, reference: 'inv-1' }, at);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(credit)));
    expect(answers.filter(({ events }) => events.length > 0).length).toBe(1);
    expect(await count('WalletCredited')).toBe(1);
  });
});
