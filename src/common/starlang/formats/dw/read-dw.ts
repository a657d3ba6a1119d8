import { parseBarLiteral } from '../../dates/iso.js';
import { Fault, formatFault } from '../../errors/fault.js';
import { negative } from '../../runtime/operators.js';
import { Regex } from '../../regex/regex.js';
import { step } from '../../runtime/machine.js';
import { withMetadata } from '../../runtime/metadata.js';
import { parse } from '../../syntax/parse.js';
import type { AsNode, Entry, Expr, Key as KeyNode } from '../../syntax/ast.js';
import { parseNumber } from '../../numbers/decimal.js';
import { coerceTo } from '../../values/coerce.js';
import { bare, Key, Namespace, ObjectBuilder, type KeyLike } from '../../values/objects.js';
import { simpleType, TYPE_NAMES } from '../../values/type-value.js';
import type { PlainObject, Value } from '../../values/value.js';
import { DEEPEST, faultAt } from '../format-text.js';

/** Reads a value written in the language: literals, objects, arrays and `as`. Nothing is called. */
export function readDw(text: string): Value {
  try {
    return new DwReader(text).document();
  } catch (error) {
    if (error instanceof RangeError) throw formatFault('The value is nested too deeply');
    throw error;
  }
}

class DwReader {
  private readonly namespaces = new Map<string, Namespace>();

  constructor(private readonly text: string) {}

  document(): Value {
    const { ast, problems } = parse(this.text);
    const [problem] = problems;
    if (problem) throw faultAt('DW value', this.text, problem.offset, problem.message, problem.hint);
    for (const directive of ast.directives) {
      if (directive.kind === 'ns')
        this.namespaces.set(directive.prefix, new Namespace(directive.prefix, directive.uri));
      else if (directive.kind !== 'version')
        throw faultAt('DW value', this.text, directive.start, 'only ns may stand in the header of a value');
    }
    if (!ast.body) throw faultAt('DW value', this.text, this.text.length, 'there is no value');
    return this.value(ast.body, 0);
  }

  private refuse(
    node: { start: number },
    message = 'only a value may stand here, nothing that is computed',
  ): Fault {
    return faultAt('DW value', this.text, node.start, message);
  }

  private value(node: Expr, depth: number): Value {
    step();
    if (depth > DEEPEST) throw formatFault(`The value is nested deeper than ${DEEPEST}`);
    switch (node.kind) {
      case 'string':
      case 'boolean':
        return node.value;
      case 'null':
        return null;
      case 'number': {
        const number = parseNumber(node.text);
        if (number === undefined) throw this.refuse(node, 'a number of unreasonable size');
        return number;
      }
      case 'unary':
        if (node.op !== '-' || node.operand.kind !== 'number') throw this.refuse(node);
        return negative(this.value(node.operand, depth + 1));
      case 'temporal': {
        const found = parseBarLiteral(node.text);
        if (!found) throw this.refuse(node, `|${node.text}| is no date, time, period or time zone`);
        return found;
      }
      case 'regex':
        return new Regex(node.source);
      case 'array':
        if (node.rest) throw this.refuse(node.rest);
        return node.items.map(({ value, condition }) => {
          if (condition) throw this.refuse(condition);
          return this.value(value, depth + 1);
        });
      case 'object':
        if (node.rest) throw this.refuse(node.rest);
        return this.pairs(node.entries, depth);
      case 'as':
        return this.converted(node, depth);
      case 'name':
        if (node.module.length === 0 && TYPE_NAMES.has(node.name)) return simpleType(node.name);
        throw this.refuse(node);
      default:
        throw this.refuse(node);
    }
  }

  private pairs(entries: readonly Entry[], depth: number) {
    const builder = new ObjectBuilder();
    for (const entry of entries) {
      if (entry.kind !== 'pair' || entry.condition) throw this.refuse(entry);
      builder.add(this.key(entry.key, depth), this.value(entry.value, depth + 1));
    }
    return builder.done();
  }

  private key(node: KeyNode, depth: number): KeyLike {
    if (node.dynamic || node.name.kind !== 'string') throw this.refuse(node);
    const name = node.name.value;
    if (node.namespace === undefined && !node.attributes) return name;
    const namespace = node.namespace === undefined ? undefined : this.namespaces.get(node.namespace);
    if (node.namespace !== undefined && !namespace)
      throw this.refuse(node, `the namespace "${node.namespace}" is not declared`);
    return new Key(name, namespace, this.pairs(node.attributes ?? [], depth + 1));
  }

  private converted(node: AsNode, depth: number): Value {
    const value = this.value(node.operand, depth + 1);
    const { type } = node;
    if (type.kind !== 'named' || type.module.length > 0 || !TYPE_NAMES.has(type.name))
      throw this.refuse(type, 'only a type of the language may stand behind "as"');
    const meta = type.meta ? (this.value(type.meta, depth + 1) as PlainObject) : undefined;
    try {
      const found = coerceTo(bare(value), type.name, meta);
      return meta && type.name !== 'Binary' ? withMetadata(found, meta) : found;
    } catch (error) {
      if (error instanceof Fault) throw this.refuse(node, error.message);
      throw error;
    }
  }
}
