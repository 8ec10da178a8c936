import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '../../kernel/logger.ts';
import type { Health } from '../../operations/health/health.ts';
import { answerOddities, LIMITS, serverOptions } from '../pipeline/connections.ts';
import {
  type Access,
  type Counted,
  refuseElse,
  refuseMalformedStatus,
  registerOperations,
  registerStatus,
} from '../plugins/status.ts';
import { type Listen, listenOn, type Server } from './listen.ts';

/** Starts the operations endpoints on their own port. @throws if the address is in use. */
export const startOperations = async (
  health: Health,
  counted: Counted,
  logger: Logger,
  listen: Listen,
  access: Access = {},
): Promise<Server> => {
  const app = plainApp();
  await registerOperations(app, health, counted, logger, access);
  return listenOn(app, listen);
};

/** Starts the public health endpoints of a process without the API. @throws if the address is in use. */
export const startStatus = async (
  health: Health,
  counted: Counted,
  logger: Logger,
  listen: Listen,
  access: Access,
): Promise<Server> => {
  const app = plainApp();
  await registerStatus(app, health, counted, logger, access);
  return listenOn(app, listen);
};

const plainApp = (): FastifyInstance => {
  const app = fastify({
    logger: false,
    ...serverOptions(LIMITS),
    clientErrorHandler: refuseMalformedStatus,
  }) as unknown as FastifyInstance;
  answerOddities(app.server);
  app.setNotFoundHandler(refuseElse);
  return app;
};
