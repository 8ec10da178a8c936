import { readFileSync } from 'node:fs';

/** Terms with what they say, as the words of their heading. */
export interface TermSection {
  readonly heading: readonly string[];
  readonly terms: readonly string[];
}

/** The lines of a file of `terms/`. */
export const termLines = (file: string): readonly string[] =>
  readFileSync(new URL(`./terms/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** The sections of a file of `terms/`: a heading in brackets, its words separated by commas, and a term a line. */
export const readTerms = (file: string): readonly TermSection[] => {
  const sections: { heading: readonly string[]; terms: string[] }[] = [];
  for (const line of termLines(file)) {
    if (line.startsWith('[')) sections.push({ heading: line.slice(1, -1).split(', '), terms: [] });
    else sections.at(-1)?.terms.push(line);
  }
  return sections;
};
