/** `npm run check:params`: fails if a documentation comment describes a parameter that its function does not have. */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const isFunction = (node: ts.Node): node is ts.SignatureDeclaration => ts.isFunctionLike(node);

/** The signature that a documentation comment of a node is about. */
const signatureOf = (node: ts.Node): ts.SignatureDeclaration | null => {
  if (isFunction(node)) return node;
  if (ts.isVariableStatement(node)) {
    const [declaration] = node.declarationList.declarations;
    const made = declaration?.initializer;
    if (made === undefined) return null;
    if (isFunction(made)) return made;
    // What a factory is given: `createBatcher((values) => …)`.
    return null;
  }
  if (ts.isPropertySignature(node) && node.type !== undefined && isFunction(node.type)) return node.type;
  if (ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) {
    return node.initializer !== undefined && isFunction(node.initializer) ? node.initializer : null;
  }
  return null;
};

const namesOf = (name: ts.BindingName): readonly string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) =>
        ts.isOmittedExpression(element)
          ? []
          : [
              ...namesOf(element.name),
              ...(element.propertyName !== undefined && ts.isIdentifier(element.propertyName)
                ? [element.propertyName.text]
                : []),
            ],
      );

/** Parameters that a file's comments describe and its functions do not have, with their lines. */
export const strayParams = (file: string, text: string): readonly string[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    const own = comments.filter(({ parent }) => parent === node);
    const tags = own.flatMap(({ tags: all = [] }) => [...all]).filter(ts.isJSDocParameterTag);
    if (tags.length > 0) {
      const known = new Set(signatureOf(node)?.parameters.flatMap(({ name }) => namesOf(name)) ?? []);
      for (const { name } of tags) {
        const [head = ''] = name.getText(source).split('.');
        if (known.has(head)) continue;
        const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
        found.push(`${file}:${line}: @param ${head}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

if (import.meta.main) {
  const files = globSync(['src/**/*.ts', 'infra/**/*.ts', 'test/support/**/*.ts']).sort();
  const stray = files.flatMap((file) => strayParams(file, readFileSync(file, 'utf8')));
  if (stray.length > 0) {
    console.error([...stray, `${stray.length} parameters are described that do not exist.`].join('\n'));
    process.exitCode = 1;
  }
}
