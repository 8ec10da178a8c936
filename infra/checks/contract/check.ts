/**
 * `npm run check:contract`: fails if the generated OpenAPI document differs from the committed snapshot. `npm run
 * contract:accept`: writes the snapshot, unless a breaking change has no recorded reason. `--folder` names another
 * folder with both files.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, parseDocument, stringify } from 'yaml';
import type { JsonObject } from '../../../src/api/contract/json.ts';
import { openApiDocument } from '../../../src/api/description/document.ts';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../../src/write/holders/plans.ts';
import { type Acceptance, examine, recordSchema } from './acceptance.ts';

const { values } = parseArgs({
  options: { accept: { type: 'boolean', default: false }, folder: { type: 'string' } },
});
const folder = values.folder === undefined ? import.meta.dirname : resolve(values.folder);
const SNAPSHOT = relative('.', resolve(folder, 'openapi.yaml'));
const RECORD = relative('.', resolve(folder, 'breaking-changes.yaml'));

const fail = (...lines: readonly string[]): void => {
  console.error(lines.join('\n'));
  process.exitCode = 1;
};

const describe = ({ unexplained, unused }: Acceptance): readonly string[] => [
  ...(unexplained.length === 0
    ? []
    : [
        'contract: these changes break callers of version 2:',
        ...unexplained.map((change) => `  ${change}`),
        `Undo them. Where one is intended, record its reason in ${RECORD}:`,
        ...stringify(
          unexplained.map((change) => ({ change, reason: 'why callers must adapt' })),
          { lineWidth: 0 },
        )
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
        'and run: npm run contract:accept',
      ]),
  ...(unused.length === 0
    ? []
    : [
        `contract: ${RECORD} has unused or duplicate reasons:`,
        ...unused.map((change) => `  ${change}`),
        'Remove them.',
      ]),
];

const snapshotText = await readFile(SNAPSHOT, 'utf8');
const recordText = await readFile(RECORD, 'utf8');
const document = openApiDocument(await loadEndpoints(), publishedPlans('A'));
const documentText = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
const entries = recordSchema.parse(parse(recordText) ?? []);
const found = examine(parse(snapshotText) as JsonObject, document, entries);

if (found.unexplained.length > 0 || found.unused.length > 0) {
  fail(...describe(found));
} else if (!values.accept) {
  if (snapshotText !== documentText) {
    fail(
      `contract: ${SNAPSHOT} is out of date; no change lacks a reason.`,
      'To write it again: npm run contract:accept',
    );
  }
} else {
  const record = parseDocument(recordText);
  const accepted = new Date().toISOString().slice(0, 10);
  for (const [i, entry] of entries.entries()) {
    if (entry.accepted === undefined) record.setIn([i, 'accepted'], accepted);
  }
  await writeFile(SNAPSHOT, documentText);
  if (found.explained.length > 0) await writeFile(RECORD, record.toString({ lineWidth: 0 }));
  console.log(`contract: ${SNAPSHOT} is up to date.`);
}
