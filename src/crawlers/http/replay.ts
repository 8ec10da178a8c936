import { FetchError, type Http } from './port.ts';
import { readRecording } from './recording.ts';
import { redactUrl } from './redact.ts';

/** Plays responses back from a folder of recordings, without network. */
export const createReplayHttp = (options: { dir: string }): Http => ({
  async fetch(request) {
    const recording = await readRecording(options.dir, request);
    if (recording === null) {
      throw new FetchError(
        'not_recorded',
        `${request.method ?? 'GET'} ${redactUrl(request.url)} is not recorded in ${options.dir}. ` +
          'Fetch it once with CRAWL_MODE=record, or leave replay with CRAWL_MODE=live.',
      );
    }
    return { ...recording.page, bytes: Buffer.byteLength(recording.page.body) };
  },
  close: () => Promise.resolve(),
});
