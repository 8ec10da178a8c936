import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipPb, { type MemberInfo as GossipMember } from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsRpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { openProxy, type TestProxy } from '../proxy.ts';
import { batchAppendHandler } from './appending.ts';
import { type Faults, noFaults } from './faults.ts';
import { readHandler, type Sent } from './reading.ts';
import { EventStore, type StoreOptions } from './store.ts';

const LEADER = 8;
const FOLLOWER = 6;

/** A stand-in for an EventStoreDB node: the protocol that Sightline uses, its decisions and its faults. */
export interface TestNode {
  /** In the form of EVENT_LOG_URL. */
  readonly url: string;
  readonly endpoint: { readonly address: string; readonly port: number };
  readonly store: EventStore;
  readonly faults: Faults;
  /** Calls that reached the node, by name. */
  readonly calls: Map<string, number>;
  readonly sent: Sent;
  /** Breaks every connection; new ones are accepted. */
  drop(): void;
  /** Behaves like a stopped (SIGSTOP) process: connections stay, new ones are accepted, nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** The node dies and its port closes; appended events are kept. */
  stop(): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** What each node of a cluster reports about itself. Nodes with the same log form a cluster. */
const clusters = new WeakMap<EventStore, Set<() => GossipMember>>();

export interface NodeOptions extends StoreOptions {
  /** Log of another node, to join its cluster. */
  readonly store?: EventStore;
  /** PEM; if unset, the node has no TLS. */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer };
}

export const openNode = async ({
  store = new EventStore(),
  ...options
}: NodeOptions = {}): Promise<TestNode> => {
  const kept =
    options.now === undefined && options.maxAppendSize === undefined ? store : new EventStore(options);
  const faults = noFaults();
  const calls = new Map<string, number>();
  const sent: Sent = { events: 0, confirmations: 0 };
  let server: Server | null = null;
  let port = 0;
  let proxy: TestProxy;
  let endpoint = { address: '127.0.0.1', port: 0 };

  const counted =
    (name: string, handler: (...given: never[]) => unknown) =>
    (...given: never[]) => {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      return handler(...given);
    };

  const members = clusters.get(kept) ?? new Set<() => GossipMember>();
  clusters.set(kept, members);
  members.add(() => {
    const at = new gossipPb.EndPoint();
    at.setAddress(endpoint.address);
    at.setPort(endpoint.port);
    const self = new gossipPb.MemberInfo();
    self.setState(faults.leader === null ? LEADER : FOLLOWER);
    self.setIsAlive(server !== null && !faults.hidden);
    self.setHttpEndPoint(at);
    self.setTimeStamp('0');
    return self;
  });

  const clusterInfo = () => {
    const info = new gossipPb.ClusterInfo();
    info.setMembersList([...members].map((member) => member()));
    return info;
  };

  const supported = () => {
    const method = new featuresPb.SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName('batchappend');
    const methods = new featuresPb.SupportedMethods();
    methods.setMethodsList([method]);
    methods.setEventStoreServerVersion('23.10.0');
    return methods;
  };

  const start = async (): Promise<void> => {
    const next = new Server();
    const serve = (service: unknown, handlers: Record<string, unknown>) =>
      next.addService(service as ServiceDefinition, handlers as UntypedServiceImplementation);
    serve(streamsRpc.StreamsService, {
      read: counted('read', readHandler(kept, faults, sent) as never),
      batchAppend: counted('batchAppend', batchAppendHandler(kept, faults) as never),
    });
    serve(gossip.GossipService, {
      read: counted('gossip', ((_: unknown, answer: (error: null, info: unknown) => void) =>
        answer(null, clusterInfo())) as never),
    });
    serve(features.ServerFeaturesService, {
      getSupportedMethods: ((_: unknown, answer: (error: null, methods: unknown) => void) =>
        answer(null, supported())) as never,
    });
    port = await new Promise<number>((resolve, reject) => {
      const credentials =
        options.tls === undefined
          ? ServerCredentials.createInsecure()
          : ServerCredentials.createSsl(null, [
              { private_key: options.tls.key, cert_chain: options.tls.cert },
            ]);
      next.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    server = next;
  };

  const stop = (): void => {
    server?.forceShutdown();
    server = null;
    kept.restart();
  };

  await start();
  proxy = await openProxy(`esdb://127.0.0.1:${port}`);
  endpoint = { address: '127.0.0.1', port: Number(new URL(proxy.url).port) };
  return {
    url: `esdb://127.0.0.1:${endpoint.port}?tls=false`,
    endpoint,
    store: kept,
    faults,
    calls,
    sent,
    drop: () => proxy.thaw(),
    freeze: () => proxy.freeze(),
    thaw: () => proxy.thaw(),
    stop,
    start,
    close: async () => {
      await proxy.close();
      stop();
    },
  };
};
