import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../../src/runtime/api-process/main.ts', import.meta.url));

/** Starts the process of the API, sends it pings, and dies before they are answered. */
const PARENT = `
  import { fork } from 'node:child_process';
  const child = fork(${JSON.stringify(MAIN)}, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  for (let n = 0; n < 50; n++) await new Promise((sent) => child.send({ type: 'ping' }, sent));
  process.kill(process.pid, 'SIGKILL');`;

it('the API process ends without an error message if its parent died before it could answer', {
  tags: 'long',
}, async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The child holds it open for as long as it lives.
  const [said] = await Promise.all([text(parent.stderr), once(parent, 'exit')]);
  expect(said).toBe('');
});
