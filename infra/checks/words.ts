import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * `npm run check:words`: fails where prose or a name uses a word that the project has given up, and says which one to
 * use instead. Looks at comments, texts and identifiers of `src` and `infra`, at documents, and at the titles of tests.
 */

/** What to look for, and the word of the field for it. Identifiers are split: `underWay` is read as "under way". */
const WORDS: readonly (readonly [pattern: RegExp, use: string])[] = [
  [/\b(?:stands?|stood|standing) (?:before|still)\b/, 'stalled at; blocked'],
  [/\b(?:takes?|took|taken|taking) in\b/, 'apply, process'],
  [/\b(?:goes|go|going|went) on\b/, 'resume, continue'],
  [/\b(?:does|do|did) without\b/, 'skip'],
  [/\bhand(?:s|ed|ing)? (?:it |them )?out\b/, 'publish; return'],
  [/\bin hand\b/, 'locked; in progress'],
  [/\banew\b/, 'again, from scratch'],
  [/\baside\b/, 'shadow build; excluded'],
  [/\b(?:whoever|somebody|nobody)\b/, 'name the component'],
  [/\bothers were\b/, 'another worker'],
  [/\bunder way\b/, 'in flight, in progress'],
  [/\bat the (?:most|least)\b/, 'at most, at least; max, min'],
  [/\b(?:taken|gives?|given|giving) back\b/, 'refunded; returned'],
  [/\blife of the database\b/, 'incarnation'],
  [/\b(?:stream|other) famil(?:y|ies)\b/, 'category'],
  [/\b(?:told|tells|telling)\b/, 'called, logged, reported'],
  [/\bupkeep\b/, 'maintenance'],
  [/\b(?:turn(?:s|ed)? away|lets? in)\b/, 'rejected, admitted'],
  [/\blanes?\b/, 'queue'],
  [/\b(?:doors?|doorkeeper|knock(?:s|ing)?)\b/, 'codec, validation, authorize, endpoint'],
  [/\bbudgets?\b(?![_ ](?:units|exhausted))/, 'quota'],
  [/\bprove[sd]? nothing\b/, 'inconclusive'],
  [/\bnonsense\b/, 'invalid'],
  [/\bbefell\b/, 'change'],
  [/\bmend(?:s|ed|ing)?\b/, 'fix'],
  [/\bstandings?\b/, 'quota state; checkpoint'],
  [/\bin force\b/, 'active'],
  [/\blapse[sd]?\b/, 'expire'],
  [/\bput away\b/, 'archived'],
  [/\b(?:is|are|was) away\b/, 'unavailable'],
  [/\bplaces?\b(?! of\b)/, 'partition, position, path'],
  [/\bwithheld\b/, 'redacted'],

  [/\bcan't be rebuilt\b/, 'durable'],
  [/\blook(?:s|ed)? about\b/, 'check, poll'],
];

/** Uses that stay. Each needs a reason. */
const ALLOWED: readonly (readonly [file: RegExp, text: RegExp, reason: string])[] = [
  [/^infra\/checks\/words\.ts$/, /./, 'this list'],
  [/^infra\/functions\/.*\.sql$/, /budget|place/, 'names of parameters, which can’t be replaced'],
  [/^infra\/simulator\/platforms\/x\//, /'Place'|withheld/, 'names of schema.org and of X'],
  [/^src\/.*\/admission|quota-state\.ts$/, /'budget'/, 'a reason, as in the error code `budget_exhausted`'],
];

interface Text {
  readonly line: number;
  readonly text: string;
}

const lineOf = (source: ts.SourceFile, at: number): number =>
  source.getLineAndCharacterOfPosition(at).line + 1;

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();

/** Comments, texts and identifiers of a TypeScript file. */
const textsOfCode = (source: ts.SourceFile): readonly Text[] => {
  const texts: Text[] = [];
  const seen = new Set<number>();
  const add = (start: number, text: string): void => {
    for (const [i, each] of text.split('\n').entries())
      texts.push({ line: lineOf(source, start) + i, text: each });
  };
  const visit = (node: ts.Node): void => {
    const comments = [
      ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.end) ?? []),
    ];
    for (const { pos, end } of comments) {
      if (!seen.has(pos)) add(pos, source.text.slice(pos, end));
      seen.add(pos);
    }
    if (ts.isIdentifier(node)) add(node.getStart(source), wordsOf(node.text));
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && !ts.isImportDeclaration(node.parent)) add(node.getStart(source), node.getText(source));
    // Documentation comments are children too, and were collected as comments.
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  return texts;
};

const CASES = /^(?:it|test|describe)\b/;

/** Titles of a test file's cases and groups. */
const titlesOf = (source: ts.SourceFile): readonly Text[] => {
  const titles: Text[] = [];
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    if (ts.isCallExpression(node) && title !== undefined && ts.isStringLiteralLike(title)) {
      if (CASES.test(node.expression.getText(source)))
        titles.push({ line: lineOf(source, title.getStart(source)), text: title.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
};

const textsOf = (file: string, content: string): readonly Text[] => {
  if (!file.endsWith('.ts')) return content.split('\n').map((text, i) => ({ line: i + 1, text }));
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  return file.startsWith('test/') ? titlesOf(source) : textsOfCode(source);
};

const CHECKED = /\.(?:ts|md|sql|sh|ya?ml)$/;
/** Generated from the sources, which are checked. */
const GENERATED = /\/(?:openapi\.yaml|release\/tables\.sql)$/;

/** The findings in a file, a line each: where, the word, and what to use instead. */
export const findingsIn = (file: string, content: string): readonly string[] => {
  const isAllowed = (text: string): boolean =>
    ALLOWED.some(([where, what]) => where.test(file) && what.test(text));
  const found = new Set<string>();
  for (const { line, text } of textsOf(file, content)) {
    for (const [pattern, use] of WORDS) {
      const word = new RegExp(pattern, 'i').exec(text)?.[0];
      if (word !== undefined && !isAllowed(text)) found.add(`${file}:${line}: "${word}": use ${use}`);
    }
  }
  return [...found];
};

if (import.meta.main) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const given = process.argv.slice(2);
  const under = given.length > 0 ? given : ['src', 'infra', 'docs', 'test', '*.md'];
  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...under],
    { cwd: root, encoding: 'utf8' },
  )
    .split('\n')
    .filter((file) => CHECKED.test(file) && !GENERATED.test(file) && existsSync(`${root}/${file}`));
  const findings: string[] = [];
  for (const file of files) findings.push(...findingsIn(file, await readFile(`${root}/${file}`, 'utf8')));
  if (findings.length > 0) {
    console.error(`${findings.join('\n')}\n${findings.length} uses of words that the project has given up.`);
    process.exitCode = 1;
  }
}
