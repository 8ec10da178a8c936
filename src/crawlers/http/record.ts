import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Transport } from './port.ts';
import { recordingOf, writeRecording } from './recording.ts';

/** Forwards requests and records their responses. Failures are not recorded. */
export const createRecordHttp = (options: { http: Transport; dir: string; clock: Clock }): Transport => ({
  async fetch(request, given) {
    const page = await options.http.fetch(request, given);
    await writeRecording(options.dir, recordingOf(request, page, isoOf(options.clock.now())));
    return page;
  },
  close: () => options.http.close(),
});
