import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

/** Where the sources have SQL: a tag, or a call that makes a statement of text. */
export interface Site {
  readonly file: string;
  readonly node: ts.TaggedTemplateExpression | ts.CallExpression;
}

type Value = (world: number) => unknown;

/** An expression whose names have become parameters. */
interface Compiled {
  readonly holes: readonly Value[];
  readonly run: (...values: unknown[]) => unknown;
}

const MODULE = 'src/kernel/postgres/statement.ts';

const SQL_TYPE = /^(?:Statement|\w*SqlToken)$/;

/** Stand-ins for types that need more than their properties. */
export type Known = Readonly<Record<string, (world: number) => unknown>>;

const isSqlTag = (tag: ts.Expression): boolean => /^sql(?:\.\w+)?(?:\(|$)/.test(tag.getText());

const hash = (text: string): number => {
  let sum = 7;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
};

/**
 * Makes the statements of the sources without running the program: the expression of a site is evaluated with the constants of its
 * module, the initializers of local variables, and stand-ins by type for everything else. What stands for unions, booleans and nulls
 * differs from world to world. Values of parameters are never looked at.
 */
export const openSources = (known: Known) => {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const files = (config?.fileNames ?? []).filter((name) => /\/src\//.test(name));
  const program = ts.createProgram(files, config?.options ?? {});
  const checker = program.getTypeChecker();
  const sourceOf = (file: ts.SourceFile): string => path.relative(process.cwd(), file.fileName);

  const nameOf = (type: ts.Type): string => (type.aliasSymbol ?? type.symbol)?.name ?? '';
  const isSql = (type: ts.Type): boolean =>
    type.isUnion()
      ? type.types.some(isSql)
      : SQL_TYPE.test(type.symbol?.name ?? '') || SQL_TYPE.test(type.aliasSymbol?.name ?? '');

  const sites: Site[] = [];
  const calls = new Map<string, ts.CallExpression[]>();
  for (const file of program.getSourceFiles()) {
    if (!files.includes(file.fileName) || file.fileName.endsWith(MODULE)) continue;
    const visit = (node: ts.Node): void => {
      const isSite =
        (ts.isTaggedTemplateExpression(node) && isSqlTag(node.tag)) ||
        (ts.isCallExpression(node) && node.expression.getText() === 'numbered');
      if (isSite) sites.push({ file: sourceOf(file), node: node as Site['node'] });
      if (ts.isCallExpression(node)) {
        const name = ts.isPropertyAccessExpression(node.expression)
          ? node.expression.name.text
          : node.expression.getText();
        calls.getOrInsertComputed(name, () => []).push(node);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  /** What callers pass as a parameter, or its default. */
  const argumentsOf = (parameter: ts.ParameterDeclaration): readonly ts.Expression[] => {
    const of = parameter.parent;
    const named = ts.isVariableDeclaration(of.parent) || ts.isPropertyAssignment(of.parent) ? of.parent : of;
    const name = (named as ts.NamedDeclaration).name?.getText() ?? '';
    const index = of.parameters.indexOf(parameter);
    return (calls.get(name) ?? [])
      .filter((call) => checker.getResolvedSignature(call)?.declaration === of)
      .flatMap((call) => call.arguments[index] ?? parameter.initializer ?? []);
  };

  const standIn = (type: ts.Type, name: string, world: number): unknown => {
    const own = known[nameOf(type)];
    if (own !== undefined) return own(world);
    if (isSql(type))
      return known[type.isUnion() ? nameOf(type.types.find(isSql) as ts.Type) : nameOf(type)]?.(world);
    if (type.flags & ts.TypeFlags.BooleanLike && !type.isUnion())
      return checker.typeToString(type) === 'true';
    if (type.isUnion()) {
      const members = type.types.toSorted((a, b) =>
        checker.typeToString(a) < checker.typeToString(b) ? -1 : 1,
      );
      return standIn(members[hash(`${name} ${world * 7919}`) % members.length] as ts.Type, name, world);
    }
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
    if (type.flags & ts.TypeFlags.StringLike) return `s_${name.replaceAll(/\W/g, '').toLowerCase()}`;
    if (type.flags & ts.TypeFlags.NumberLike) return 1;
    if (type.flags & ts.TypeFlags.BigIntLike) return 1n;
    if (type.flags & ts.TypeFlags.Null) return null;
    if (type.flags & ts.TypeFlags.Undefined) return undefined;
    if (type.getCallSignatures().length > 0) {
      const returned = type.getCallSignatures()[0]?.getReturnType() as ts.Type;
      return () => standIn(returned, name, world);
    }
    if (checker.isArrayLikeType(type)) {
      const element = type.getNumberIndexType();
      return element === undefined ? [] : [standIn(element, name, world)];
    }
    if (nameOf(type) === 'Date') return new Date(0);
    const properties = type.getProperties();
    return new Proxy({} as Record<string, unknown>, {
      get: (_, key) => {
        const property = properties.find((each) => each.name === key);
        return property === undefined
          ? undefined
          : standIn(checker.getTypeOfSymbol(property), String(key), world);
      },
    });
  };

  /** Loads a module at once: natively, beside the modules of the test. */
  const require = createRequire(import.meta.url);
  /** A module as the sources load it; a program would run in this process. */
  const load = (name: string) => {
    if (/\bmain\.ts$|\.worker\.ts$/.test(name)) throw new Error(`${name} is a program`);
    return require(name);
  };
  const constants = new Map<ts.Node, unknown>();
  const compiled = new Map<ts.Expression, Compiled>();

  const isOurs = (file: ts.SourceFile): boolean =>
    files.includes(file.fileName) && !file.fileName.endsWith(MODULE);

  const passing = new Set<ts.ParameterDeclaration>();

  /** What a caller passes, another one in each world; a stand-in for what can't be known. */
  const passed = (
    parameter: ts.ParameterDeclaration,
    property: string | undefined,
    world: number,
    otherwise: () => unknown,
  ) => {
    const type = checker.getTypeAtLocation(parameter);
    const own = known[nameOf(type)];
    const all = passing.has(parameter) ? [] : argumentsOf(parameter);
    const one = all[world % all.length];
    const unknown = () =>
      property === undefined || own === undefined
        ? otherwise()
        : (own(world) as Record<string, unknown>)[property];
    if (one === undefined || type.flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike))
      return unknown();
    passing.add(parameter);
    try {
      const value = evaluate(one, world);
      return property === undefined ? value : (value as Record<string, unknown>)[property];
    } catch {
      return unknown();
    } finally {
      passing.delete(parameter);
    }
  };

  /** What a name stands for: a constant of the program, what a local one is initialized with, or a stand-in. */
  const meaningOf = (identifier: ts.Identifier): Value => {
    const { text, parent } = identifier;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? checker.getShorthandAssignmentValueSymbol(parent)
      : checker.getSymbolAtLocation(identifier);
    const isImported = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const declaration = (isImported ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration;
    const type = checker.getTypeAtLocation(identifier);
    const file = declaration?.getSourceFile();
    if (declaration === undefined || file === undefined) return (world) => standIn(type, text, world);
    if (!isOurs(file)) {
      const imported = symbol?.declarations?.find(
        (each) => ts.isImportSpecifier(each) || ts.isImportClause(each),
      );
      if (imported === undefined) return () => (globalThis as Record<string, unknown>)[text];
      const by = ts.isImportClause(imported) ? 'default' : (imported.propertyName ?? imported.name).text;
      const from = (ts.isImportClause(imported) ? imported : imported.parent.parent).parent
        .moduleSpecifier as ts.StringLiteral;
      return () => {
        const module = load(from.text.startsWith('.') ? file.fileName : from.text);
        return module[by] ?? module;
      };
    }
    if (ts.isClassDeclaration(declaration)) return () => load(file.fileName)[text];
    const made = type.getCallSignatures()[0]?.getReturnType() ?? type;
    const element = ts.isBindingElement(declaration) ? declaration : undefined;
    const parameter = element === undefined ? declaration : element.parent.parent;
    if (ts.isParameter(parameter)) {
      const property = element === undefined ? undefined : (element.propertyName ?? element.name).getText();
      return (world) => passed(parameter, property, world, () => standIn(type, text, world));
    }
    if (
      element !== undefined &&
      ts.isVariableDeclaration(parameter) &&
      parameter.initializer !== undefined &&
      !ts.isAwaitExpression(parameter.initializer) &&
      ts.isObjectBindingPattern(element.parent)
    ) {
      const { initializer } = parameter;
      const property = (element.propertyName ?? element.name).getText();
      return (world) => (evaluate(initializer, world) as Record<string, unknown>)[property];
    }
    if (
      !ts.isVariableDeclaration(declaration) ||
      declaration.initializer === undefined ||
      !ts.isIdentifier(declaration.name)
    )
      return (world) => standIn(type, text, world);
    const { initializer, name } = declaration;
    const isOfModule = declaration.parent.parent.parent === file;
    if (isOfModule && !isSql(made)) {
      const isExported = ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export;
      const value = () => (isExported ? load(file.fileName)[name.text] : evaluate(initializer, 0));
      return () => {
        if (!constants.has(declaration)) constants.set(declaration, value());
        return constants.get(declaration);
      };
    }
    const isConst = (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
    return isConst ? (world) => evaluate(initializer, world) : (world) => standIn(type, text, world);
  };

  /** Puts holes where an expression needs values, and leaves out what becomes a parameter. */
  const compile = (expression: ts.Expression): Compiled => {
    const holes: Value[] = [];
    const edits: { readonly from: number; readonly to: number; readonly by: string }[] = [];
    const edit = (from: number, to: number, by: string) => edits.push({ from, to, by });
    const hole = (node: ts.Node, value: Value, before = '') => {
      edit(node.getStart(), node.end, `${before}$${holes.length}`);
      holes.push(value);
    };
    const visitTag = ({ tag, template }: ts.TaggedTemplateExpression): void => {
      const called = ts.isCallExpression(tag) ? tag.expression : tag;
      const name = ts.isPropertyAccessExpression(called) ? called.expression : called;
      visit(name);
      const kind = ts.isPropertyAccessExpression(called) ? called.name.text : 'named';
      edit(name.end, tag.end, kind === 'named' ? '' : kind === 'fragment' ? '.fragment' : '.unsafe');
      if (!ts.isTemplateExpression(template)) return;
      for (const { expression: part } of template.templateSpans)
        if (isSql(checker.getTypeAtLocation(part))) visit(part);
        else edit(part.getStart(), part.end, '0');
    };
    const isDeclaredInside = (node: ts.Identifier): boolean => {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      const declared = symbol?.valueDeclaration;
      return (
        declared !== undefined &&
        declared.getSourceFile() === expression.getSourceFile() &&
        declared.pos >= expression.pos &&
        declared.end <= expression.end
      );
    };
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node)) return;
      const type = () => checker.getTypeAtLocation(node);
      if (ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword) {
        const of = type();
        hole(node, (world) => standIn(of, node.name.text, world));
      } else if (ts.isAwaitExpression(node)) {
        const of = type();
        hole(node, (world) => standIn(of, 'awaited', world));
      } else if (ts.isTaggedTemplateExpression(node) && isSqlTag(node.tag)) visitTag(node);
      else if (ts.isPropertyAccessExpression(node)) visit(node.expression);
      else if (ts.isPropertyAssignment(node)) {
        if (ts.isComputedPropertyName(node.name)) visit(node.name);
        visit(node.initializer);
      } else if (ts.isIdentifier(node)) {
        if (node.text !== 'undefined' && !isDeclaredInside(node))
          hole(node, meaningOf(node), ts.isShorthandPropertyAssignment(node.parent) ? `${node.text}: ` : '');
      } else ts.forEachChild(node, visit);
    };
    visit(expression);
    const start = expression.getStart();
    const text = edits
      .toSorted((a, b) => b.from - a.from)
      .reduce(
        (all, { from, to, by }) => all.slice(0, from - start) + by + all.slice(to - start),
        expression.getText(),
      );
    const { outputText } = ts.transpileModule(`(${text})`, {
      compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, alwaysStrict: false },
    });
    return {
      holes,
      run: new Function(...holes.keys().map((i) => `$${i}`), `return ${outputText}`) as Compiled['run'],
    };
  };

  const values = new Map<ts.Expression, (() => unknown)[]>();

  const evaluate = (expression: ts.Expression, world: number): unknown => {
    const known = values.getOrInsertComputed(expression, () => []);
    const made = known[world];
    if (made !== undefined) return made();
    const { holes, run } = compiled.getOrInsertComputed(expression, compile);
    known[world] = () => {
      throw new Error('is made of itself');
    };
    try {
      const value = run(...holes.map((hole) => hole(world)));
      known[world] = () => value;
      return value;
    } catch (error) {
      known[world] = () => {
        throw error;
      };
      throw error;
    }
  };

  return {
    sites,
    /** Calls of `query` with anything but a statement. */
    unchecked: (calls.get('query') ?? [])
      .filter(({ arguments: [first] }) => first !== undefined && !isSql(checker.getTypeAtLocation(first)))
      .map((call) => `${sourceOf(call.getSourceFile())}: ${call.getText().slice(0, 60)}`),
    /** Whether a text has all pieces of a site in it, in their order. */
    isPartOf: ({ node }: Site, text: string): boolean => {
      if (!ts.isTaggedTemplateExpression(node)) return false;
      const { template } = node;
      const pieces = ts.isTemplateExpression(template)
        ? [template.head, ...template.templateSpans.map(({ literal }) => literal)]
        : [template];
      let at = 0;
      return pieces.every((piece) => {
        const from = text.indexOf(piece.text.trim(), at);
        at = from + piece.text.trim().length;
        return from >= 0;
      });
    },
    /** The text of a site in a world. @throws whatever its evaluation throws. */
    textOf: ({ node }: Site, world: number): string => {
      const { text, sql = '' } = evaluate(node, world) as { readonly text?: string; readonly sql?: string };
      return (text ?? sql).replaceAll(/\$slonik_(\d+)/g, '$$$1').trim();
    },
  };
};
