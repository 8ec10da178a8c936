import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const SRC = join(import.meta.dirname, '../../src');

/** A pattern as it stands in a file of the program. */
export interface Literal {
  /** Path below `src`. */
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** All files of the program, with their text. */
export const sources = (): readonly { readonly file: string; readonly text: string }[] =>
  readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(SRC, path), text: readFileSync(path, 'utf8') }));

/** Every regular expression literal of the program. */
export const literals = (): readonly Literal[] =>
  sources().flatMap(({ file, text }) => {
    const found: Literal[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    return found;
  });
