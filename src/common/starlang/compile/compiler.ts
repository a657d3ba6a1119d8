import type { Problem, ProblemKind } from '../errors/problem.js';
import type { SourceText } from '../errors/source-text.js';
import type { Expr, Node } from '../syntax/ast.js';
import { Fault } from '../errors/fault.js';
import { compileArray, compileTemplate, compileTemporal } from './literals.js';
import { compileAs, compileIs, compileMetadata } from './conversions.js';
import { compileBinary, compileUnary } from './operators.js';
import { compileCall } from './calls.js';
import { compileDo, compileUsing } from './blocks.js';
import { compileLambda } from './lambdas.js';
import { compileMatch } from './match.js';
import { compileName } from './names.js';
import { compileObject } from './objects.js';
import { compileSelect } from './selectors.js';
import { compileUpdate } from './update.js';
import { compileType } from './types.js';
import { locate, type Exec } from './exec.js';
import { truth } from '../runtime/operators.js';
import type { OwnModule, Scope } from './scope.js';
import { Regex } from '../regex/regex.js';
import { parseNumber, type Numeric } from '../numbers/decimal.js';

/** Turns the tree into closures. One file a construct; each gets the compiler as `c` and the scope it is in. */
export class Compiler {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];

  /** Metadata is only kept with a value when somebody asks for it. */
  readonly usesMetadata: boolean;

  /** Modules of the workspace by their paths. */
  readonly ownModules = new Map<string, OwnModule>();

  constructor(readonly source: SourceText) {
    this.usesMetadata =
      source.matches(/\.\^|metadataOf|docType|\boutput\s+(?:application\/)?dw\b/) ||
      // `is Date {format: "…"}`, there or by a declared type, asks for what `as` gave.
      (source.matches(/\bis\s/) && source.matches(/\btype\s+\w|\bis\s+[\w:]+\s*\{/));
  }

  expr(node: Expr, scope: Scope): Exec {
    switch (node.kind) {
      case 'string':
      case 'boolean': {
        const { value } = node;
        return () => value;
      }
      case 'null':
        return () => null;
      case 'number': {
        const value = parseNumber(node.text) as Numeric;
        return () => value;
      }
      case 'regex':
        return this.constant(node, () => new Regex(node.source));
      case 'temporal':
        return compileTemporal(this, node);
      case 'template':
        return compileTemplate(this, node, scope);
      case 'unfinished':
        return () => {
          throw locate(new Fault('user', 'This part of the script is not implemented (???)'), node);
        };
      case 'name':
      case 'implicit':
        return compileName(this, node, scope);
      case 'array':
        return compileArray(this, node, scope);
      case 'object':
        return compileObject(this, node, scope);
      case 'lambda':
        return compileLambda(this, node, scope);
      case 'call':
        return compileCall(this, node, scope);
      case 'unary':
        return compileUnary(this, node, scope);
      case 'binary':
        return compileBinary(this, node, scope);
      case 'if':
        return this.condition(node, scope);
      case 'select':
        return compileSelect(this, node, scope);
      case 'match':
        return compileMatch(this, node, scope);
      case 'update':
        return compileUpdate(this, node, scope);
      case 'do':
        return compileDo(this, node, scope);
      case 'using':
        return compileUsing(this, node, scope);
      case 'as':
        return compileAs(this, node, scope);
      case 'is':
        return compileIs(this, node, scope);
      case 'metadata':
        return compileMetadata(this, node, scope);
      case 'typeExpr': {
        const type = compileType(this, node.type, scope);
        return () => type;
      }
    }
  }

  /** As {@link expr}, for a condition: a Boolean or a fault at `node`. */
  test(node: Expr, scope: Scope, where: string): (frame: Parameters<Exec>[0]) => boolean {
    const exec = this.expr(node, scope);
    return (frame) => {
      const value = exec(frame);
      if (value === true || value === false) return value;
      try {
        return truth(value, where);
      } catch (error) {
        throw locate(error, node);
      }
    };
  }

  private condition(node: Extract<Expr, { kind: 'if' }>, scope: Scope): Exec {
    const test = this.test(node.condition, scope, 'The condition of an if');
    const [yes, no] = [this.expr(node.yes, scope), this.expr(node.no, scope)];
    const { negated } = node;
    return (frame) => (test(frame) !== negated ? yes(frame) : no(frame));
  }

  /** A value made once, at compile time; what goes wrong is a compile problem. */
  constant(node: Node, make: () => ReturnType<Exec>): Exec {
    try {
      const value = make();
      return () => value;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return this.problem(node, error.kind, error.message, error.hint);
    }
  }

  problem(node: Node, kind: ProblemKind, message: string, hint?: string): Exec {
    this.problems.push(
      this.source.problemAt(node.start, kind, message, {
        length: node.end - node.start,
        ...(hint ? { hint } : {}),
      }),
    );
    return () => null;
  }

  warn(node: Node, message: string, hint?: string): void {
    this.warnings.push(
      this.source.problemAt(node.start, 'syntax', message, {
        length: node.end - node.start,
        ...(hint ? { hint } : {}),
      }),
    );
  }
}
