// Preloaded with `--import`: prints the address of every module that a program loads, when it ends.
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeSync(2, `${loaded.join('\n')}\n`));
