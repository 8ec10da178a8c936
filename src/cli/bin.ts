#!/usr/bin/env -S node --max-semi-space-size=16
/** The command of the package. It says which Node it needs before it loads what an older one can't read. */

const NEEDS = 24;
const [major = ''] = process.versions.node.split('.');

if (Number(major) < NEEDS) {
  process.stderr.write(`Sightline needs Node ${NEEDS} or newer; this is ${process.version}.\n`);
  process.exit(1);
}
await import('./main.ts');
