import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type {
  CalibrationMessage,
  CalibrationOptions,
  CalibrationReport,
} from '../../infra/calibrate/messages.ts';
import { OperatorError } from '../kernel/errors.ts';

export type { CalibrationOptions, CalibrationReport };

/**
 * Measures figures in simulated worlds, in a thread: methods know nothing of the worlds that they are measured in.
 * @throws {OperatorError} `repository_needed` in a package; for a file that is no document of parameters.
 */
export const runCalibration = async (
  options: CalibrationOptions,
  onProgress: (done: number, total: number) => void,
): Promise<CalibrationReport> => {
  if (!existsSync(PROGRAM)) {
    throw new OperatorError(
      'repository_needed',
      'Measuring needs the repository: the package has no part in it.',
    );
  }
  if (options.world !== null) await refuseUnlessWorld(options.world);
  const worker = new Worker(PROGRAM, { workerData: options });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: CalibrationMessage) => {
      if ('report' in message) resolve(message.report);
      else onProgress(message.done, message.total);
    });
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`the thread that measures ended with ${code} and no report`)),
    );
  });
};

const PROGRAM = new URL('../../infra/calibrate/thread.ts', import.meta.url);

const refuseUnlessWorld = async (file: string): Promise<void> => {
  const { readWorld } = await import('../../infra/simulator/world/read-world.ts');
  try {
    await readWorld(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError('argument_invalid', `--world ${file} is no document of parameters:\n${reason}`);
  }
};
