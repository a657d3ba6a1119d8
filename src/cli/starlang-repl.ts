import { createInterface } from 'node:readline';
import { StarlangSession } from './starlang-session.js';
import { paintOf, type Terminal } from './terminal.js';

/** Reads lines until the end of the input; Ctrl-C forgets the open line, and ends on an empty one. */
export async function runRepl(
  terminal: Terminal,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<void> {
  const session = new StarlangSession(terminal);
  const paint = paintOf(terminal);
  const lines = createInterface({
    input,
    ...(terminal.isTerminal ? { output: process.stdout, terminal: true } : {}),
    completer: (line: string) => session.complete(line),
  });
  const prompt = (isOpen = false) => {
    lines.setPrompt(isOpen ? paint.dim('... ') : paint.cyan('sl> '));
    if (terminal.isTerminal) lines.prompt();
  };
  lines.on('SIGINT', () => {
    if (!session.cancel() && lines.line === '') return lines.close();
    terminal.out('\n');
    prompt();
  });
  if (terminal.isTerminal) terminal.out('Starlang. :help says what there is, :quit ends.\n');
  prompt();
  const answer = ({ text, isOpen }: ReturnType<StarlangSession['feed']>) => {
    if (text !== '') terminal.out(`${text}\n`);
    prompt(isOpen);
  };
  for await (const line of lines) {
    const reply = session.feed(line);
    if (reply.isEnd) break;
    answer(reply);
  }
  // What is still open at the end of a piped input is evaluated as it is.
  const last = session.feed('');
  if (last.text !== '') terminal.out(`${last.text}\n`);
  lines.close();
}
