import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SimulatorData, SimulatorReport } from '../../../infra/simulator/thread-messages.ts';

/** A simulator in a thread of its own. */
export interface RunningSimulator extends SimulatorReport {
  close(): Promise<void>;
}

/** Starts the simulator: it loads and answers beside the thread that crawls it. */
export const startDemoSimulator = async (data: SimulatorData): Promise<RunningSimulator> => {
  const worker = new Worker(PROGRAM, {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  // Rejects with the thread's error if it fails.
  const [report] = (await once(worker, 'message')) as [SimulatorReport];
  return {
    ...report,
    close: async () => {
      await worker.terminate();
    },
  };
};

const PROGRAM = new URL('../../../infra/simulator/thread.ts', import.meta.url);

/** Pages that it draws are garbage once they are sent: a small young generation has room for them. */
const YOUNG_MB = 12;
