import { isIP } from 'node:net';
import { ChannelCredentials } from '@grpc/grpc-js';

interface Connector {
  readonly connectionOptions: { host: string; servername?: string };
}

interface SecureCredentials {
  _createSecureConnector(...args: unknown[]): Connector;
}

let isDone = false;

/**
 * Allows TLS connections to nodes by IP address, which clusters often advertise. The client sends a server name with each
 * connection. TLS allows only DNS names there (RFC 6066, section 3), and Node rejects addresses since version 26. Without a server
 * name, the certificate is verified against the address itself (an `IP Address` subject alternative name).
 */
export const allowTlsByAddress = (): void => {
  if (isDone) return;
  isDone = true;
  const prototype = Object.getPrototypeOf(ChannelCredentials.createSsl()) as SecureCredentials;
  const create = prototype._createSecureConnector;
  prototype._createSecureConnector = function (this: SecureCredentials, ...args: unknown[]) {
    const connector = create.apply(this, args);
    const { connectionOptions } = connector;
    if (isIP(connectionOptions.host) !== 0) delete connectionOptions.servername;
    return connector;
  };
};
