/** Exit codes of every command. */
export const exitCodes = { ok: 0, inputWrong: 1, environmentWrong: 2 } as const;

/** Ends a command with a sentence for its user, no stack trace, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.inputWrong,
  ) {
    super(message);
  }
}

/** The input was right, but something around the command is not: a server, a file, a port. */
export function environmentWrong(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.environmentWrong);
}
