import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/api/description/document.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { authorize } from '../../src/api/pipeline/access.ts';
import { commandGroups } from '../../src/cli/groups.ts';
import { ERRORS } from '../../src/kernel/errors.ts';
import type { KnownKey } from '../../src/read/holders.ts';
import { publishedPlans } from '../../src/write/holders/plans.ts';

/** Any command of the operator, as `sightline keys`. */
const groups = (await commandGroups([])).flatMap((group) => [group.name(), ...group.aliases()]);
const COMMAND = new RegExp(`\\bsightline (?:--|${groups.join('|')})\\b`);

/** Code whose texts reach callers. */
const FILES = globSync('src/{api,read,write,crawlers/live-read,kernel/errors}/**/*.ts').filter(
  (file) => !file.endsWith('operator-error.ts'),
);

const textsOf = (file: string): readonly string[] => {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return texts;
};

describe('operator commands in texts for callers', () => {
  it('are absent from the table of errors', () => {
    const texts = Object.values(ERRORS).map(({ title, documentation }) => `${title} ${documentation}`);
    expect(texts.filter((text) => COMMAND.test(text))).toEqual([]);
  });

  it('are absent from the API description', async () => {
    const description = JSON.stringify(openApiDocument(await loadEndpoints(), publishedPlans('A')));
    expect(COMMAND.exec(description)).toBeNull();
  });

  it('are absent from the texts of answers', () => {
    expect(FILES.length).toBeGreaterThan(100);
    const found = FILES.flatMap((file) => textsOf(file).filter((text) => COMMAND.test(text)));
    expect(found).toEqual([]);
  });

  it('are absent from refusals of a scope or plan, which say what to ask the operator for', () => {
    const key = { keyId: 'key_a', plan: 'scale', scopes: new Set() } as unknown as KnownKey;
    const refusal = (of: KnownKey): string => {
      try {
        authorize(publishedPlans('A'), of, { scope: 'leads:read' });
      } catch (error) {
        return (error as Error).message;
      }
      return 'not refused';
    };
    expect(refusal(key)).toBe(
      'The key key_a lacks the scope leads:read, which your plan includes: ask the operator to add it to the key.',
    );
    expect(refusal({ ...key, plan: 'free' })).toBe(
      'Your plan does not include leads:read; the lowest plan that does is scale. The key lacks the scope too.',
    );
  });
});
