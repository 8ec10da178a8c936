import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createCpuAccount, type ProcessRow, readProcesses } from './cpu-account.ts';

const ROOT = 10;

const row = (parent: number, usedS: number, started = 0): ProcessRow => ({ parent, started, usedS });

describe('the account of CPU time', () => {
  it('has the time of the root and everything below it', () => {
    const account = createCpuAccount(ROOT);
    account.sample(
      new Map([
        [1, row(0, 100)],
        [ROOT, row(1, 5)],
        [11, row(ROOT, 3)],
        [12, row(11, 2)],
        [13, row(1, 50)],
      ]),
    );
    expect(account.usedS()).toBe(10);
  });

  it('counts a child once whose parent waited for it', () => {
    const account = createCpuAccount(ROOT);
    account.sample(
      new Map([
        [ROOT, row(1, 5)],
        [11, row(ROOT, 3)],
      ]),
    );
    account.sample(new Map([[ROOT, row(1, 9)]]));
    expect(account.usedS()).toBe(9);
  });

  it('keeps the time of a process whose parent was killed, also after its end', () => {
    const account = createCpuAccount(ROOT);
    account.sample(
      new Map([
        [ROOT, row(1, 5)],
        [11, row(ROOT, 3)],
        [12, row(11, 2)],
      ]),
    );
    account.sample(
      new Map([
        [ROOT, row(1, 8)],
        [12, row(1, 4)],
      ]),
    );
    expect(account.usedS()).toBe(12);
    account.sample(new Map([[ROOT, row(1, 8)]]));
    expect(account.usedS()).toBe(12);
  });

  it('does not mistake a stranger for a process with the same id', () => {
    const account = createCpuAccount(ROOT);
    account.sample(
      new Map([
        [ROOT, row(1, 5)],
        [11, row(1, 3, 1)],
      ]),
    );
    account.sample(
      new Map([
        [ROOT, row(1, 5)],
        [11, row(1, 70, 2)],
      ]),
    );
    expect(account.usedS()).toBe(5);
  });

  it.skipIf(readProcesses() === null)('reads what a child used from /proc', () => {
    const account = createCpuAccount(process.pid);
    const used = () => {
      account.sample(readProcesses() ?? new Map());
      return account.usedS();
    };
    const before = used();
    const burn = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
    expect(spawnSync(process.execPath, ['-e', burn]).status).toBe(0);
    expect(used() - before).toBeGreaterThan(0.25);
  });
});
