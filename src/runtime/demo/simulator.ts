import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SimulatorData, SimulatorReport } from '../../../infra/simulator/thread-messages.ts';

/** A simulator in a thread of its own. */
export interface RunningSimulator extends SimulatorReport {
  close(): Promise<void>;
}

const PROGRAM = new URL('../../../infra/simulator/thread.ts', import.meta.url);

/** Starts the simulator: it loads and answers beside the thread that crawls it. */
export const startDemoSimulator = async (data: SimulatorData): Promise<RunningSimulator> => {
  const worker = new Worker(PROGRAM, { workerData: data });
  // Rejects with the thread's error if it fails.
  const [report] = (await once(worker, 'message')) as [SimulatorReport];
  return {
    ...report,
    close: async () => {
      await worker.terminate();
    },
  };
};
