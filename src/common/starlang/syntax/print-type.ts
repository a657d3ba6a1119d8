import type { Expr, ObjectTypeField, TypeNode } from './ast.js';

type PrintExpr = (node: Expr) => string;

export function printType(type: TypeNode, expr: PrintExpr): string {
  const text = bareType(type, expr);
  if (!type.meta || type.kind === 'objectType') return text;
  return `${type.kind === 'named' || type.kind === 'literalType' ? text : `(${text})`} ${expr(type.meta)}`;
}

function single(type: TypeNode, expr: PrintExpr): string {
  const text = printType(type, expr);
  return type.kind === 'union' || type.kind === 'intersection' || type.kind === 'functionType'
    ? `(${text})`
    : text;
}

function bareType(type: TypeNode, expr: PrintExpr): string {
  switch (type.kind) {
    case 'named': {
      const path = [...type.module, type.name].join('::');
      const args = type.args.length > 0 ? `<${type.args.map((arg) => printType(arg, expr)).join(', ')}>` : '';
      return (
        path +
        args +
        type.fields.map((field) => `.${/^[\w#]+$/.test(field) ? field : JSON.stringify(field)}`).join('')
      );
    }
    case 'union':
      return type.members.map((member) => single(member, expr)).join(' | ');
    case 'intersection':
      return type.members.map((member) => single(member, expr)).join(' & ');
    case 'literalType':
      return expr(type.value);
    case 'functionType': {
      const params = type.params.map(
        (param) =>
          (param.name ? `${param.name}${param.optional ? '?' : ''}: ` : '') + printType(param.type, expr),
      );
      return `(${params.join(', ')}) -> ${single(type.result, expr)}`;
    }
    case 'objectType': {
      const fields = type.fields.map((field) => printField(field, expr)).join(', ');
      const [open, close] = [
        `{${type.ordered ? '-' : ''}${type.closed ? '|' : ''}`,
        `${type.closed ? '|' : ''}${type.ordered ? '-' : ''}}`,
      ];
      return `${open} ${fields} ${close}`;
    }
  }
}

function printField(field: ObjectTypeField, expr: PrintExpr): string {
  const name = field.nameType
    ? `(${printType(field.nameType, expr)})`
    : field.name === undefined
      ? '_'
      : /^\w+$/.test(field.name) && field.name !== '_'
        ? field.name
        : JSON.stringify(field.name);
  return `${field.namespace ? `${field.namespace}#` : ''}${name}${field.repeated ? '*' : ''}${field.optional ? '?' : ''}: ${printType(field.type, expr)}`;
}
