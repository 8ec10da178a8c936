import { uuidV5 } from '../../../kernel/ids.ts';
import type { createAppender } from './append.ts';
import type { Connection } from './connection.ts';
import { readStream } from './read.ts';

/** The stream that has the settings of a stream; its last event counts. */
const settingsOf = (stream: string): string => `$$${stream}`;

/** Lets a stream begin at a revision. Other settings of it stay. */
export const truncate = async (
  connection: Connection,
  { append }: Pick<ReturnType<typeof createAppender>, 'append'>,
  stream: string,
  before: bigint,
): Promise<void> => {
  for (;;) {
    const at = settingsOf(stream);
    const [last] = await readStream(connection, at, { direction: 'backwards', limit: 1 });
    const settings = (last?.data ?? {}) as { readonly $tb?: number };
    if ((settings.$tb ?? 0) >= before) return;
    const data = { ...settings, $tb: Number(before) };
    const id = uuidV5(`${at} ${last?.revision ?? -1} begins at ${before}`);
    const outcome = await append({
      stream: at,
      events: [{ id, type: '$metadata', data }],
      expected: last?.revision ?? 'no_stream',
    });
    if (outcome.status === 'appended') return;
  }
};
