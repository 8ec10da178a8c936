import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** The API is the program itself, and needs its settings. */
const OWN_PROGRAM = 'runtime/api-process/fork.ts';

/** With the paths of libraries that an installation has not linked. */
const OWN_ENVIRONMENTS = new Set(['CHILD_ENVIRONMENT', '{ ...CHILD_ENVIRONMENT, ...libraries }']);

interface Start {
  readonly file: string;
  readonly call: string;
  readonly environment: string | null;
}

const environmentIn = (node: ts.Node, file: ts.SourceFile): string | null => {
  let found: string | null = null;
  const visit = (inner: ts.Node): void => {
    if (ts.isPropertyAssignment(inner) && inner.name.getText(file) === 'env')
      found = inner.initializer.getText(file);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
};

/** Every start of a child process in a file, with the environment that it passes. */
const startsIn = (name: string, text: string): readonly Start[] => {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const imported = /import \{([^}]*)\} from 'node:child_process'/.exec(text)?.[1] ?? '';
  const functions = new Set(imported.split(',').map((each) => each.replace('type', '').trim()));
  if (/= promisify\(execFile\)/.test(text)) functions.add('run');
  const options = new Map<string, string | null>();
  const starts: Start[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectLiteralExpression(node.initializer))
      options.set(node.name.getText(file), environmentIn(node.initializer, file));
    if (ts.isCallExpression(node) && functions.has(node.expression.getText(file))) {
      const named = node.arguments.map((argument) => options.get(argument.getText(file)) ?? null);
      const environment =
        node.arguments.map((argument) => environmentIn(argument, file)).find((each) => each !== null) ??
        named.find((each) => each !== null) ??
        null;
      starts.push({ file: name, call: node.expression.getText(file), environment });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return starts;
};

it('every child program gets an environment of its own, without this one’s keys', () => {
  const starts = globSync('src/**/*.ts')
    .map((file) => ({ file: file.slice('src/'.length), text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => text.includes("'node:child_process'"))
    .flatMap(({ file, text }) => startsIn(file, text));
  expect(starts.length).toBeGreaterThan(5);
  const inheriting = starts.filter(
    ({ file, environment }) => file !== OWN_PROGRAM && !OWN_ENVIRONMENTS.has(environment ?? ''),
  );
  expect(inheriting).toEqual([]);
});
