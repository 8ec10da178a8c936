import { type Clock, isoOf } from '../../kernel/clock.ts';
import type { Http } from './port.ts';
import { recordingOf, writeRecording } from './recording.ts';

/** Passes every request on and keeps what came back. A failure to come back is not kept. */
export const createRecordHttp = (options: { http: Http; dir: string; clock: Clock }): Http => ({
  async fetch(request) {
    const page = await options.http.fetch(request);
    await writeRecording(options.dir, recordingOf(request, page, isoOf(options.clock.now())));
    return page;
  },
  close: () => options.http.close(),
});
