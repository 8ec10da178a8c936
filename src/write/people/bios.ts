import { truncated } from '../../kernel/text.ts';

const LINKS_AND_NAMES = /https?:\/\/\S+|@[\w.-]+/g;
/** Shorter texts are many people's. */
const DISTINCTIVE = 12;
const MAX_CHARS = 300;

/** What a bio says of its owner: without links and names of others, in lower case; null if that is next to nothing. */
export const introIn = (bio: string | null): string | null => {
  if (bio === null) return null;
  const said = truncated(bio.split('\n')[0] ?? '', 2 * MAX_CHARS).replaceAll(LINKS_AND_NAMES, ' ');
  const plain = truncated(said.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim(), MAX_CHARS);
  return plain.length < DISTINCTIVE ? null : plain;
};
