import { parentPort, workerData } from 'node:worker_threads';
import { calibrate } from './calibrate.ts';
import type { CalibrationMessage, CalibrationOptions } from './messages.ts';

/** The program of a thread that measures figures, reports its progress, and ends with the report. */

const send = (message: CalibrationMessage): void => parentPort?.postMessage(message);

let reportedAt = 0;
const report = await calibrate(workerData as CalibrationOptions, (done, total) => {
  const now = Date.now();
  if (now - reportedAt < 200 && done < total) return;
  reportedAt = now;
  send({ done, total });
});
send({ report });
