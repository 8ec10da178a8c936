import { verifyEndpoint } from './verify-ownership.ts';

export default verifyEndpoint('telegram', 'verifyTelegramOwnership', 'durov');
