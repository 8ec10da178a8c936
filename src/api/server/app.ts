import { constants } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import cors from '@fastify/cors';
import fastify, { type FastifyInstance } from 'fastify';
import { createMatcher } from '../../kernel/cidr.ts';
import { requestId } from '../../kernel/ids.ts';
import type { Metrics as MetricRegistry } from '../../kernel/metrics.ts';
import type { Description } from '../../mcp/operations.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { openApiDocument } from '../description/document.ts';
import { capabilitiesEndpoint } from '../endpoints/capabilities.ts';
import { loadEndpoints } from '../endpoints/load-endpoints.ts';
import {
  answerOddities,
  LIMITS,
  type Limits,
  refuseMalformed,
  serverOptions,
} from '../pipeline/connections.ts';
import { EXPOSED_HEADERS } from '../pipeline/headers.ts';
import { createMethods } from '../pipeline/methods.ts';
import { createMetrics, createPipeline, decorateRequests, type Metrics } from '../pipeline/pipeline.ts';
import { DOCS_PATHS, onceMade, registerDocsPage, serveDocument } from '../plugins/documents.ts';
import { MCP, registerMcp } from '../plugins/mcp.ts';
import { PRIVACY_PATH } from '../plugins/privacy/pages.ts';
import { registerPrivacy } from '../plugins/privacy/privacy.ts';
import { RECEIPT_KEYS_PATH, registerReceiptKeys } from '../plugins/receipt-keys.ts';
import { registerStatus, STATUS_PATHS } from '../plugins/status.ts';
import { createRateLimit } from '../plugins/throttle.ts';
import type { Services } from '../services.ts';
import { type Listen, listenOn, type Server } from './listen.ts';

/** The API without a socket: used by the server, and by tests through `inject`. */
export const createApp = async (
  services: Services,
  endpoints: readonly Endpoint[],
  metrics: Metrics = createMetrics(),
  limits: Limits = LIMITS,
): Promise<FastifyInstance> => {
  const all = [capabilitiesEndpoint(endpoints, services.plans), ...endpoints];
  const methods = createMethods([
    ...all.map((endpoint) => ({ method: endpoint.method, path: `/v2${endpoint.path}` })),
    ...[DESCRIPTION, RECEIPT_KEYS_PATH, ...DOCS_PATHS, ...STATUS_PATHS].map((path) => ({
      method: 'GET',
      path,
    })),
    ...(services.ownHand === null ? [] : ['GET', 'POST']).map((method) => ({ method, path: PRIVACY_PATH })),
    { method: 'POST', path: MCP },
  ]);
  const pipeline = createPipeline(services, methods, metrics);
  const app = fastify({
    // A logger per request would dominate its cost: log lines carry the request's ID instead.
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    // The pipeline refuses requests during a stop, in the contract's shape.
    return503OnClosing: false,
    ...serverOptions(limits),
    trustProxy: services.trustedProxies.length === 0 ? false : createMatcher(services.trustedProxies),
    routerOptions: { maxParamLength: 1_024, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void pipeline.failEarly(error, request, reply),
    clientErrorHandler: refuseMalformed(methods, pipeline.lateHeaders),
  }) as unknown as FastifyInstance;
  answerOddities(app.server);
  app.removeContentTypeParser('text/plain');
  decorateRequests(app);
  await app.register(compress, COMPRESSION);
  if (services.corsOrigins.length > 0)
    await app.register(cors, {
      origin: services.corsOrigins.includes('*') ? '*' : [...services.corsOrigins],
      methods: ['GET', 'POST'],
      allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'accept'],
      exposedHeaders: [...EXPOSED_HEADERS],
      maxAge: 3_600,
    });
  app.addHook('onRequest', pipeline.receive);
  app.setErrorHandler(pipeline.fail);
  app.setNotFoundHandler(pipeline.refuseUnknown);

  for (const endpoint of all) {
    app.route({
      method: endpoint.method,
      url: pathOf(endpoint),
      config: { operation: endpoint.operation },
      onRequest: pipeline.authenticate,
      handler: pipeline.handlerOf(endpoint),
    });
  }
  const documents = createRateLimit(DOCUMENT_BYTES);
  const document = onceMade(async () => openApiDocument(endpoints, services.plans));
  registerMcp(app, pipeline.authenticate, async () => (await document()) as unknown as Description);
  const description = onceMade(async () => {
    return serveDocument(JSON.stringify(await document()), 'application/json; charset=utf-8', documents);
  });
  app.get(DESCRIPTION, async (request, reply) => (await description())(request, reply));
  // Generated before the first request for it: it takes a fifth of a second, in which all requests wait.
  app.addHook('onListen', async () => {
    await description().catch((err: unknown) =>
      services.logger.error(
        { err },
        `OpenAPI description could not be generated; ${DESCRIPTION} answers 500`,
      ),
    );
  });
  const counted = { own: [services.metrics, metrics.registry], peer: services.peerMetrics };
  await registerStatus(app, services.health, counted, services.logger, { token: services.operationsToken });
  registerDocsPage(app, documents);
  registerReceiptKeys(app, services);
  await registerPrivacy(app, services);
  return app;
};

/** Starts the API, with the endpoints of the contract by default. @throws if the address is in use. */
export const startServer = async (
  services: Services,
  listen: Listen,
  own: Partial<Limits> = {},
  endpoints?: readonly Endpoint[],
): Promise<ApiServer> => {
  const metrics = createMetrics();
  const limits = { ...LIMITS, ...own };
  const app = await createApp(services, endpoints ?? (await loadEndpoints()), metrics, limits);
  const server = await listenOn(app, listen, services.trustedProxies, limits);
  return { ...server, counted: metrics.registry };
};

const BODY_LIMIT = 256 * 1024;
/** Bytes per address and second of the API description and reference, which need no key. */
const DOCUMENT_BYTES = 4 * 1024 * 1024;
const DESCRIPTION = '/v2/openapi.json';

const COMPRESSION: FastifyCompressOptions = {
  encodings: ['br', 'gzip', 'zstd'],
  // NDJSON is not among the plugin's own types.
  customTypes: /^text\/|json/u,
  // Request bodies are not decompressed, so that their limit applies to them as sent.
  globalDecompression: false,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
};

const pathOf = (endpoint: Pick<Endpoint, 'path'>): string =>
  `/v2${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`.replace(/(?<=.)\/$/, '');

/** The API with its operations endpoints. */
interface ApiServer extends Server {
  /** Metrics of the API. */
  readonly counted: MetricRegistry;
}
