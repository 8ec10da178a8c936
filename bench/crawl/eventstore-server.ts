import { openNode, type TestNode } from '../../test/support/eventstore/server.ts';
import { serve } from '../support/child.ts';

/** The tests' EventStoreDB, in a process of its own: each question opens an empty log. @returns its URL. */
let node: TestNode | undefined;

const open = async (): Promise<string> => {
  await node?.close();
  node = await openNode();
  return node.url;
};

if (import.meta.main) serve(open, async () => node?.close());
