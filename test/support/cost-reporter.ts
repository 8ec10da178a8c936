import { DefaultReporter, type TestModule, type Vitest } from 'vitest/node';
import { createCpuAccount, readProcesses } from './cpu-account.ts';

const SAMPLE_MS = 1_000;

/** A file that takes longer hangs. Fault suites in full take most of an hour on a busy machine. */
const HANG_MS = process.env.FAULT_SUITES === 'full' ? 3_000_000 : 900_000;

const nameOf = ({ project, moduleId }: TestModule): string => `${project.name} ${moduleId}`;

/**
 * Vitest's own output, and below it the wall and CPU time of the run, of Postgres and all other programs that tests start.
 * Without `/proc`, so elsewhere than on Linux, CPU time is not known; of a program that is killed together with its
 * parent, the time since the last sample is missing. A file that hangs ends the run, and is named.
 */
export default class CostReporter extends DefaultReporter {
  readonly #cpu = createCpuAccount(process.pid);
  /** Files that workers have, by project and name: since when, and their tests once they are known. */
  readonly #running = new Map<string, { readonly since: number; module: TestModule }>();
  #sampling: NodeJS.Timeout | undefined;

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    this.#sampling = setInterval(() => {
      this.#sample();
      const hanging = [...this.#running.values()].filter(({ since }) => performance.now() - since > HANG_MS);
      if (hanging.length > 0) this.#end(hanging.map(({ module }) => module));
    }, SAMPLE_MS).unref();
  }

  override onTestModuleQueued(module: TestModule): void {
    super.onTestModuleQueued(module);
    this.#running.set(nameOf(module), { module, since: performance.now() });
  }

  override onTestModuleCollected(module: TestModule): void {
    super.onTestModuleCollected(module);
    const running = this.#running.get(nameOf(module));
    if (running !== undefined) running.module = module;
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.#running.delete(nameOf(module));
  }

  #end(hanging: readonly TestModule[]): void {
    for (const module of hanging) {
      this.log(`${module.relativeModuleId} did not end within ${HANG_MS / 1_000} s. It has not ended:`);
      const open = [...module.children.allTests()].filter((test) => test.result().state === 'pending');
      for (const { fullName } of open.slice(0, 5)) this.log(`  ${fullName}`);
    }
    // A worker in an endless loop ends by no request.
    for (const pid of this.#cpu.pids().filter((each) => each !== process.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
    process.exit(1);
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
