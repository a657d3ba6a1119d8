import { DEFAULT_INPUTS, type CompileOptions, type RunEnv, type RunResult, type Script } from './api.js';
import { heatOf, HOT, hotBody } from './codegen/hot.js';
import { compileDirectives } from './compile/directives.js';
import { Compiler } from './compile/compiler.js';
import type { Exec, Frame } from './compile/exec.js';
import { link } from './compile/link.js';
import { ownModule } from './compile/modules.js';
import { FrameInfo, Scope, type Binding } from './compile/scope.js';
import { literalValue } from './compile/types.js';
import { Fault } from './errors/fault.js';
import { problemAt } from './errors/problem.js';
import type { SourceText } from './errors/source-text.js';
import { StarlangError } from './errors/starlang-error.js';
import { checkedOptions, findFormat, formatFor, IDLE, mimeOptions } from './formats/registry.js';
import type { Format, FormatOptions } from './formats/format.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import { fromHost, prepareLarge, toPlain } from './runtime/boundary.js';
import { begin, end, Machine } from './runtime/machine.js';
import type { Directive, Document } from './syntax/ast.js';
import { Fn } from './values/fn.js';
import { requireText } from './values/text.js';
import type { Value } from './values/value.js';

type HostFunction = (...args: unknown[]) => unknown;
interface Input {
  name: string;
  binding: Extract<Binding, { kind: 'slot' }>;
  /** Of the `input` directive. */
  format: Chosen | undefined;
  /** Has every object a member of that name? Then only an own one counts. */
  inherited: boolean;
}

/** A format with the options a directive gives. */
interface Chosen {
  format: Format;
  mime: string;
  options: FormatOptions;
}

/** Compiles a script. @throws StarlangError with every problem found */
export function compile(source: string, options: CompileOptions = {}): Script {
  try {
    return compileDocument(source, options);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(source);
    throw error;
  }
}

function tooDeep(source: string): StarlangError {
  return new StarlangError([problemAt(source, 0, 'budget', 'The script is nested too deeply')]);
}

function compileDocument(source: string, options: CompileOptions): Script {
  const linked = link(source, options.modules);
  if (linked.problems.length > 0) throw new StarlangError(linked.problems);
  const { ast } = linked;
  const c = new Compiler(linked.source);
  const scope = new Scope(undefined, new FrameInfo());
  const inputs: Input[] = [];
  const names = new Set([
    ...(options.inputs ?? DEFAULT_INPUTS),
    ...Object.keys(options.functions ?? {}),
    ...declared(ast),
  ]);
  const formats = inputFormats(c, ast);
  for (const name of names)
    inputs.push({
      name,
      binding: scope.define(name),
      format: formats.get(name),
      inherited: name in Object.prototype,
    });
  const begins = linked.modules.map(({ path, ast: module }) => {
    const own = new Scope(undefined, scope.frame);
    const begin = compileDirectives(c, module.directives, own);
    c.ownModules.set(path, ownModule(path, module, own));
    return begin;
  });
  // Declarations of the script hide inputs of the same name.
  const top = scope.block();
  begins.push(compileDirectives(c, ast.directives, top));
  if (!ast.body)
    c.problem(
      { start: source.length, end: source.length },
      'syntax',
      'The script has no body',
      'write --- and then an expression',
    );
  const body = ast.body ? c.expr(ast.body, top) : () => null;
  const output = outputOf(c, ast);
  if (c.problems.length > 0) throw new StarlangError(c.problems.sort((a, b) => a.offset - b.offset));
  const used = inputs.filter(({ binding }) => binding.used);
  const run = inTurn(begins, body);
  return new CompiledScript(
    options.name ?? 'script',
    source,
    linked.source,
    c.warnings,
    output,
    used,
    [...names],
    run,
    scope.frame.size,
    options,
  );
}

/** The body, after what sets its frame up. */
function inTurn(given: readonly (((frame: Frame) => void) | undefined)[], body: Exec): Exec {
  const begins = given.filter((begin) => begin !== undefined);
  const [only] = begins;
  if (only === undefined) return body;
  if (begins.length === 1) return (frame) => (only(frame), body(frame));
  return (frame) => {
    for (const begin of begins) begin(frame);
    return body(frame);
  };
}

const declared = (ast: Document) =>
  ast.directives.flatMap((directive) => (directive.kind === 'input' ? [directive.name] : []));

type FormatDirective = Extract<Directive, { kind: 'input' | 'output' }>;

function outputOf(c: Compiler, ast: Document): Chosen | undefined {
  const found = ast.directives.findLast(({ kind }) => kind === 'output') as FormatDirective | undefined;
  return found && chosen(c, found, 'writer');
}

/** `output mime with id option=…`: the id says which format reads or writes, the mime what it is called. */
function chosen(c: Compiler, directive: FormatDirective, side: 'reader' | 'writer'): Chosen | undefined {
  const { format: spec } = directive;
  try {
    const format = formatFor(spec.id ?? spec.mime);
    const given: [string, Value][] = [];
    for (const { name, value } of spec.options) {
      const literal = literalValue(value);
      if (literal === undefined)
        c.problem(
          value,
          'format',
          `The value of the option "${name}" is no literal`,
          'write true, false, a number or a "text"',
        );
      else given.push([name, literal]);
      const reason = IDLE[name];
      if (reason) c.warn(value, `The option "${name}" changes nothing`, reason);
    }
    const options = checkedOptions(format, side, [...mimeOptions(format, spec.mime), ...given]);
    const mime = spec.mime.includes('/') ? spec.mime : (findFormat(spec.mime) ?? format).mime;
    return { format, mime, options };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    c.problem(directive, error.kind, error.message, error.hint);
    return undefined;
  }
}

/** The format of each input that names one; checked whether or not the input is used. */
function inputFormats(c: Compiler, ast: Document): ReadonlyMap<string, Chosen> {
  const formats = new Map<string, Chosen>();
  for (const directive of ast.directives) {
    if (directive.kind !== 'input' || directive.format.mime === '') continue;
    const found = chosen(c, directive, 'reader');
    if (found) formats.set(directive.name, found);
  }
  return formats;
}

/** Formats whose values may be a text themselves: a text that is bound was read already. */
const OF_TEXT = new Set(['application/json', 'application/yaml', 'application/dw', 'text/plain']);

class CompiledScript implements Script {
  private readonly limits: Limits;
  private heat = 0;
  private generated: Exec | undefined;
  private readonly emptyFrame: Frame;

  constructor(
    readonly name: string,
    readonly source: string,
    private readonly texts: SourceText,
    readonly warnings: Script['warnings'],
    private readonly output: Chosen | undefined,
    private readonly inputs: readonly Input[],
    private readonly names: readonly string[],
    private readonly body: Exec,
    frameSize: number,
    private readonly options: CompileOptions,
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.emptyFrame = Array.from({ length: frameSize }, () => null);
    if (options.backend === 'generated') this.generate();
    if (options.backend === 'closures') this.heat = Number.NEGATIVE_INFINITY;
  }

  get backend(): Script['backend'] {
    return this.generated ? 'generated' : 'closures';
  }

  private generate(): void {
    this.heat = Number.NEGATIVE_INFINITY;
    this.generated = hotBody(this.texts, this.names);
  }

  get mimeType(): string | undefined {
    return this.output?.mime;
  }

  get uses(): readonly string[] {
    return this.inputs.map(({ name }) => name);
  }

  run(bindings: Readonly<Record<string, unknown>> = {}, env: RunEnv = {}): RunResult {
    if (this.heat >= HOT) this.generate();
    const limits = env.limits ? { ...this.limits, ...env.limits } : this.limits;
    const machine = new Machine(limits, env);
    const outer = begin(machine);
    try {
      const frame = this.emptyFrame.slice();
      for (const input of this.inputs) frame[input.binding.index] = this.input(input, bindings);
      return new Outcome((this.generated ?? this.body)(frame), this, limits, env);
    } catch (error) {
      throw this.failure(error);
    } finally {
      this.heat += heatOf(machine);
      end(outer);
    }
  }

  write(value: unknown): string {
    const out = this.writeWith(fromHost(value), this.limits);
    return typeof out === 'string' ? out : Buffer.from(out).toString('utf8');
  }

  writeWith(value: Value, limits: Limits, env: RunEnv = {}): string | Uint8Array {
    const outer = begin(new Machine(limits, env));
    try {
      const format = this.output?.format ?? formatFor('application/json');
      return format.write(value, this.output?.options ?? checkedOptions(format, 'writer', []));
    } catch (error) {
      throw this.failure(error);
    } finally {
      end(outer);
    }
  }

  private input({ name, format, inherited }: Input, bindings: Readonly<Record<string, unknown>>): Value {
    let given = inherited ? undefined : bindings[name];
    if (given === undefined) given = this.ownInput(name, bindings);
    if (format && isSource(given, format)) return format.format.read(given, format.options);
    if (typeof given === 'function') return hostFunction(name, given as HostFunction);
    return this.options.keepsInputs ? prepareLarge(given) : fromHost(given);
  }

  private ownInput(name: string, bindings: Readonly<Record<string, unknown>>): unknown {
    if (Object.hasOwn(bindings, name)) return bindings[name];
    const hosted = this.options.functions;
    return hosted && Object.hasOwn(hosted, name) ? hosted[name] : null;
  }

  /** What goes wrong comes out as a StarlangError. */
  private failure(error: unknown): unknown {
    if (error instanceof RangeError && /call stack|string length|array length/i.test(error.message))
      return new StarlangError([
        problemAt(this.source, 0, 'budget', `The script needs too much memory: ${error.message}`),
      ]);
    return error instanceof Fault ? errorOf(error, this.texts, this.name) : error;
  }
}

/** Bytes, and texts that can be no value of the format, are what the format reads. */
const isSource = (given: unknown, { format }: Chosen): given is string | Uint8Array =>
  given instanceof Uint8Array || (typeof given === 'string' && !OF_TEXT.has(format.mime));

class Outcome implements RunResult {
  constructor(
    readonly value: Value,
    private readonly script: CompiledScript,
    private readonly limits: Limits,
    private readonly env: RunEnv,
  ) {}

  get mimeType(): string | undefined {
    return this.script.mimeType;
  }

  text(): string {
    const out = this.write();
    return typeof out === 'string' ? out : Buffer.from(out).toString('utf8');
  }

  bytes(): Uint8Array {
    const out = this.write();
    return typeof out === 'string' ? Buffer.from(out, 'utf8') : out;
  }

  private write(): string | Uint8Array {
    return this.script.writeWith(this.value, this.limits, this.env);
  }
}

/** A function of the host: it gets plain values, and what it throws becomes a fault of the script. */
function hostFunction(name: string, body: HostFunction): Fn {
  const params = Array.from({ length: Math.max(body.length, 1) }, (_, i) => ({
    name: `arg${i + 1}`,
    optional: true,
  }));
  return new Fn(name, params, (...args) => {
    try {
      return fromHost(body(...args.map((arg) => toPlain(arg))));
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(
        'user',
        `${name}: ${error instanceof Error ? error.message : requireText(String(error))}`,
      );
    }
  });
}

/** A fault with its place in the source. */
export function errorOf(fault: Fault, source: SourceText, name: string): StarlangError {
  const offset = Math.max(0, fault.offset);
  const extra = { length: fault.length, ...(fault.hint ? { hint: fault.hint } : {}) };
  const trace = [...fault.trace, { name, offset }]
    .slice(0, 30)
    .map((call) => `${call.name} ${source.placeText(call.offset)}`);
  return new StarlangError([source.problemAt(offset, fault.kind, fault.message, extra)], trace, {
    cause: fault,
  });
}
