import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { McpTarget } from '../../../components/mcp/mcp.component.js';
import { LineReader } from './line-reader.js';
import { bindToOurLife, signalGroup } from './process-group.js';
import { Tail } from './tail.js';

type ProcessTarget = Extract<McpTarget, { transport: 'stdio' }>;

const tailLength = 2000;

/**
 * An MCP server as a child process. Unlike the SDK's own transport it stands in a process group of its own, so that what
 * the server started ends with it; it is not stopped by junk on standard output; and a large message is read once.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #tail: Tail;
  readonly #lines: LineReader;
  #child: ChildProcessWithoutNullStreams | null = null;
  #isClosed = false;

  constructor(
    private readonly target: ProcessTarget,
    /** Milliseconds between asking politely, asking again, and not asking. */
    private readonly graceMs = 1000,
  ) {
    this.#tail = new Tail(tailLength, Object.values(target.env));
    this.#lines = new LineReader(target.maxMessageBytes);
  }

  /** The last of what the child wrote to its standard error, without secrets. */
  get stderr(): string {
    return this.#tail.toString();
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.target;
    const child = spawn(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env },
      ...(cwd === null ? {} : { cwd }),
      stdio: 'pipe',
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.on('error', (error) => this.onerror?.(error));
    child.once('exit', () => this.#ended(child));
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#tail.push(chunk));
    await once(child, 'spawn');
    bindToOurLife(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (!child || this.#isClosed) throw new Error('The process has ended.');
    if (child.stdin.write(serializeMessage(message))) return;
    await Promise.race([once(child.stdin, 'drain'), once(child, 'exit')]);
  }

  /** Resolves when the child is really gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child || child.pid === undefined) return this.#closed();
    child.stdin.end();
    for (const signal of [null, 'SIGTERM', 'SIGKILL'] as const) {
      if (signal) signalGroup(child, signal);
      if (await this.#exits(child)) break;
    }
    this.#ended(child);
  }

  async #exits(child: ChildProcessWithoutNullStreams): Promise<boolean> {
    if (child.exitCode !== null || child.signalCode !== null) return true;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), this.graceMs);
    return once(child, 'exit', { signal: stop.signal }).then(
      () => {
        clearTimeout(timer);
        return true;
      },
      () => false,
    );
  }

  /** The child is gone; what it left behind goes too, and so do the pipes that a grandchild might hold open. */
  #ended(child: ChildProcessWithoutNullStreams): void {
    signalGroup(child, 'SIGKILL');
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let lines: string[];
    try {
      lines = this.#lines.push(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (const line of lines) {
      if (line.trim() === '') continue;
      try {
        this.onmessage?.(deserializeMessage(line));
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}
