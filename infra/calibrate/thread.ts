import { parentPort, workerData } from 'node:worker_threads';
import { calibrate } from './calibrate.ts';
import type { CalibrationMessage, CalibrationOptions } from './messages.ts';

/** The program of a thread that measures figures, tells how far it is, and ends with the report. */

const tell = (message: CalibrationMessage): void => parentPort?.postMessage(message);

let toldAt = 0;
const report = await calibrate(workerData as CalibrationOptions, (done, total) => {
  const now = Date.now();
  if (now - toldAt < 200 && done < total) return;
  toldAt = now;
  tell({ done, total });
});
tell({ report });
