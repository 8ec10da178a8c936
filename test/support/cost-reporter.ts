import { DefaultReporter, type Vitest } from 'vitest/node';
import { createCpuAccount, readProcesses } from './cpu-account.ts';

const SAMPLE_MS = 1_000;

/**
 * Vitest's own output, and below it the wall and CPU time of the run, of Postgres and all other programs that tests start.
 * Without `/proc`, so elsewhere than on Linux, CPU time is not known; of a program that is killed together with its
 * parent, the time since the last sample is missing.
 */
export default class CostReporter extends DefaultReporter {
  readonly #cpu = createCpuAccount(process.pid);
  #sampling: NodeJS.Timeout | undefined;

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    this.#sampling = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  #sample(): boolean {
    const table = readProcesses();
    if (table !== null) this.#cpu.sample(table);
    return table !== null;
  }

  override reportTestSummary(...summary: Parameters<DefaultReporter['reportTestSummary']>): void {
    super.reportTestSummary(...summary);
    clearInterval(this.#sampling);
    const cpu = this.#sample()
      ? `${Math.round(this.#cpu.usedS())} s of CPU`
      : 'CPU is not known without /proc';
    this.log(`        Used  ${Math.round(process.uptime())} s of wall time, ${cpu}`);
  }
}
