import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { loadAllGroups } from '../../src/cli/groups.ts';

/** Commands that change nothing of which the log should know. */
const READING = `
  demo start top mcp replay backup restore calibrate
  pools list, pools show, pools members, pools history, pools schedule
  research runs, research findings, research explain, research replay
  engines list, engines show
  platforms list, platforms parse
  people explain, people verify, people compare
  insights show, config check
  alarms list, alarms table, operators list
  events read, events tail, events exports
  projections list, projections tables, projections lag, projections verify
  projections parked list, projections parked show
  plans show, holders show, holders list, keys list
  usage show, usage audit, sessions list, proxies list
  subjects show, subjects list, subjects receipt, subjects check, subjects ledger, subjects verify, subjects requests`;

const reading = new Set(
  READING.trim()
    .split(/\n/)
    .flatMap((line, i) => line.trim().split(i === 0 ? ' ' : ', ')),
);

const leaves = (command: Command, path = ''): readonly (readonly [string, Command])[] => {
  const name = `${path} ${command.name()}`.trim();
  return command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((each) => leaves(each, name));
};

it('every command either changes nothing, or takes a reason that stands in its events', async () => {
  const all = (await loadAllGroups()).flatMap((group) => leaves(group));
  const taking = all.filter(([, { options }]) => options.some(({ long }) => long === '--reason'));
  const names = new Set(taking.map(([name]) => name));
  expect(
    all
      .map(([name]) => name)
      .filter((name) => !names.has(name))
      .sort(),
  ).toEqual([...reading].sort());
});
