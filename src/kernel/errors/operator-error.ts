/** A command or setting that an operator gave and that can't be carried out: one line that says what to do. */
export class OperatorError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'OperatorError';
  }
}
