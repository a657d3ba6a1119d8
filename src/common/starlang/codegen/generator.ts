import type { Compiler } from '../compile/compiler.js';
import type { Exec } from '../compile/exec.js';
import type { FrameInfo, Scope } from '../compile/scope.js';
import type { Expr } from '../syntax/ast.js';
import { parseNumber, type Numeric } from '../numbers/decimal.js';
import { writeCall } from './calls.js';
import { writeAs, writeIs } from './conversions.js';
import { writeDo } from './directives.js';
import { writeLambda } from './lambdas.js';
import { writeArray, writeTemplate } from './literals.js';
import { writeMatch } from './match.js';
import { writeName } from './names.js';
import { writeObject } from './objects.js';
import { writeBinary, writeIf, writeUnary } from './operators.js';
import { writeSelect } from './selectors.js';
import { Unit, type Place, type Slot } from './unit.js';
import { NULL, text, Writer, type Atom } from './writer.js';

/** A callback may be written twice before its kind is known, so nesting could cost more than its size. */
const MOST_NODES = 20_000;

/** The script stays with closures. */
export class TooLarge extends Error {}

/**
 * Writes JavaScript for a tree. What it has no code for (rare selectors, `update`, XML keys …) stays a
 * closure of the other back end, which gets a frame with the same slots: both see the same values.
 */
export class Generator extends Writer {
  readonly places = new Map<Slot, Place>();
  private readonly units = new Map<FrameInfo, Unit>();
  private written = 0;
  /** Names of flags that say whether a value is a plain object, in the block being written. */
  private plain = new Map<string, string>();

  constructor(readonly c: Compiler) {
    super();
  }

  expr(node: Expr, scope: Scope): Atom {
    if (++this.written > MOST_NODES) throw new TooLarge('too much to write');
    switch (node.kind) {
      case 'string':
        return text(node.value);
      case 'boolean':
        return { code: String(node.value), known: 'boolean', literal: node.value };
      case 'null':
        return NULL;
      case 'number': {
        const value = parseNumber(node.text) as Numeric;
        if (typeof value !== 'number') return { code: this.constant(value), known: 'any' };
        return { code: `(${JSON.stringify(value)})`, known: 'number', literal: value };
      }
      case 'name':
      case 'implicit':
        return writeName(this, node, scope);
      case 'template':
        return writeTemplate(this, node, scope);
      case 'array':
        return writeArray(this, node, scope);
      case 'object':
        return writeObject(this, node, scope);
      case 'lambda':
        return writeLambda(this, node, scope);
      case 'call':
        return writeCall(this, node, scope);
      case 'unary':
        return writeUnary(this, node, scope);
      case 'binary':
        return writeBinary(this, node, scope);
      case 'if':
        return writeIf(this, node, scope);
      case 'select':
        return writeSelect(this, node, scope);
      case 'match':
        return writeMatch(this, node, scope);
      case 'do':
        return writeDo(this, node, scope);
      case 'as':
        return writeAs(this, node, scope);
      case 'is':
        return writeIs(this, node, scope);
      default:
        return this.bridge(this.c.expr(node, scope), scope);
    }
  }

  /** Counts what the next statement makes. */
  charge(units: number): void {
    this.emit(`if ((${this.machine}.room -= ${units}) < 0) M.full();`);
  }

  /** A closure, run with the frame of this point. */
  bridge(exec: Exec, scope: Scope): Atom {
    return this.temp(`${this.constant(exec)}(${this.unit(scope).frame()})`);
  }

  unit(scope: Scope): Unit {
    const unit = this.units.get(scope.frame);
    if (!unit) throw new Error('a scope without a frame');
    return unit;
  }

  addUnit(scope: Scope, parent: Scope | undefined): Unit {
    const unit = new Unit(scope.frame, parent && this.unit(parent));
    this.units.set(scope.frame, unit);
    return unit;
  }

  /** A new name of the script for a value. */
  define(scope: Scope, name: string, code: string): Slot {
    const slot = scope.define(name);
    this.place(scope, slot, code);
    return slot;
  }

  place(scope: Scope, slot: Slot, code: string): void {
    const unit = this.unit(scope);
    this.places.set(slot, { in: 'local', code });
    unit.slots.push({ index: slot.index, code });
    if (unit.home !== undefined) this.emit(`${unit.home}[${slot.index}] = ${code};`);
  }

  /** Statements of a nested block: what is set in it is not set after it. */
  nested(scope: Scope, write: () => void): string {
    const unit = this.unit(scope);
    const { home, slots } = unit;
    const { plain } = this;
    unit.slots = [...slots];
    this.plain = new Map(plain);
    try {
      return this.block(write);
    } finally {
      unit.home = home;
      unit.slots = slots;
      this.plain = plain;
    }
  }

  /** As {@link nested}, for the body of a function. */
  functionBody(scope: Scope, write: () => void): string {
    const { plain } = this;
    this.plain = new Map(plain);
    try {
      return this.body(() => this.emit(this.nested(scope, write)));
    } finally {
      this.plain = plain;
    }
  }

  /** An expression that says whether the value is a plain object. */
  isPlain({ code }: Atom): string {
    const found = this.plain.get(code);
    if (found !== undefined) return found;
    const flag = this.fresh('p');
    this.emit(`const ${flag} = ${code} != null && ${code}.constructor === Object;`);
    this.plain.set(code, flag);
    return flag;
  }

  /** A condition: true or false, or the fault of anything else. */
  truth(value: Atom, node: Expr, where: string): string {
    if (value.known === 'boolean') return value.code;
    return `(${value.code} === true || ${value.code} !== false && truth(${value.code}, ${JSON.stringify(where)}, ${this.constant(node)}))`;
  }
}
