/**
 * The typed syntax tree. Every node knows its offsets; nothing in it depends on a back end. One file, for the
 * shapes refer to each other and are read together.
 */
export interface Node {
  /** Offset of the first character. */
  start: number;
  /** Offset after the last character. */
  end: number;
}

export type Expr =
  | StringNode
  | NumberNode
  | BooleanNode
  | NullNode
  | TemplateNode
  | TemporalNode
  | RegexNode
  | UnfinishedNode
  | NameNode
  | ImplicitNode
  | ArrayNode
  | ObjectNode
  | LambdaNode
  | CallNode
  | UnaryNode
  | BinaryNode
  | IfNode
  | SelectNode
  | MatchNode
  | UpdateNode
  | DoNode
  | UsingNode
  | AsNode
  | IsNode
  | MetadataNode
  | TypeExprNode;

interface ExprBase extends Node {
  /** Written in parentheses: no meaning, but a person's intent (warnings look at it). */
  grouped?: true;
}

export interface StringNode extends ExprBase {
  kind: 'string';
  value: string;
}
export interface NumberNode extends ExprBase {
  kind: 'number';
  text: string;
}
export interface BooleanNode extends ExprBase {
  kind: 'boolean';
  value: boolean;
}
export interface NullNode extends ExprBase {
  kind: 'null';
}
/** `"a $(b) c"`: one more text than expressions. */
export interface TemplateNode extends ExprBase {
  kind: 'template';
  texts: string[];
  exprs: Expr[];
}
/** `|2020-01-01|`: the text between the bars. */
export interface TemporalNode extends ExprBase {
  kind: 'temporal';
  text: string;
}
/** The text between the slashes, `\/` undone. */
export interface RegexNode extends ExprBase {
  kind: 'regex';
  source: string;
}
/** `???` */
export interface UnfinishedNode extends ExprBase {
  kind: 'unfinished';
}
/** A variable, function or `a::b::name`. */
export interface NameNode extends ExprBase {
  kind: 'name';
  name: string;
  module: string[];
}
/** `$`, `$$`, `$$$` */
export interface ImplicitNode extends ExprBase {
  kind: 'implicit';
  level: 1 | 2 | 3;
}
export interface ArrayItem {
  value: Expr;
  condition?: Expr;
}
/** `[a, b]`, or `[a ~ rest]` when `rest` is there. */
export interface ArrayNode extends ExprBase {
  kind: 'array';
  items: ArrayItem[];
  rest?: Expr;
}
export interface Key extends Node {
  /** A template when the quoted key interpolates, any expression for `(expr)`. */
  name: Expr;
  /** `(expr)` */
  dynamic: boolean;
  namespace?: string;
  attributes?: Entry[];
}
export interface PairEntry extends Node {
  kind: 'pair';
  key: Key;
  value: Expr;
  condition?: Expr;
}
export interface SpreadEntry extends Node {
  kind: 'spread';
  value: Expr;
  condition?: Expr;
}
export type Entry = PairEntry | SpreadEntry;
export interface ObjectNode extends ExprBase {
  kind: 'object';
  entries: Entry[];
  /** `{k: v ~ rest}` */
  rest?: Expr;
  /** A pair written without braces. */
  bare?: true;
}
export interface Param extends Node {
  name: string;
  type?: TypeNode;
  value?: Expr;
  annotations?: Annotation[];
}
export interface LambdaNode extends ExprBase {
  kind: 'lambda';
  params: Param[];
  generics?: Generic[];
  result?: TypeNode;
  body: Expr;
}
export interface CallNode extends ExprBase {
  kind: 'call';
  callee: Expr;
  args: Expr[];
  typeArgs?: TypeNode[];
  /** `a f b`; also `++` and `--`, whose callee is a name. */
  infix?: true;
}
export interface UnaryNode extends ExprBase {
  kind: 'unary';
  /** `not` is the loose word, `!` the tight sign. */
  op: '-' | '!' | 'not';
  operand: Expr;
}
export type BinaryOp =
  | 'or'
  | 'and'
  | '=='
  | '!='
  | '~='
  | '<'
  | '>'
  | '<='
  | '>='
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '*'
  | '/'
  | 'default';
export interface BinaryNode extends ExprBase {
  kind: 'binary';
  op: BinaryOp;
  left: Expr;
  right: Expr;
}
export interface IfNode extends ExprBase {
  kind: 'if';
  negated: boolean;
  condition: Expr;
  yes: Expr;
  no: Expr;
}
/** What a selector looks for. */
export type Selector =
  | { by: 'name'; name: Expr; namespace?: string }
  | { by: 'index'; value: Expr }
  | { by: 'filter'; condition: Expr }
  | { by: 'attribute'; name?: Expr; namespace?: string }
  | { by: 'namespace' }
  | { by: 'meta'; name?: Expr }
  | { by: 'descendants' };
/** How many it gives: the first, all (`*`), key-value pairs (`&`), through descendants (`..`, `..*`). */
export type Reach = 'one' | 'many' | 'pairs' | 'deep' | 'deepMany' | 'deepPairs';
export interface SelectNode extends ExprBase {
  kind: 'select';
  target: Expr;
  selector: Selector;
  reach: Reach;
  /** `?` asks for existence, `!` asserts it. */
  check?: '?' | '!';
}
export type Pattern =
  | { kind: 'literal'; value: Expr; name?: string }
  | { kind: 'type'; type: TypeNode; name?: string }
  | { kind: 'regex'; value: Expr; name?: string }
  | { kind: 'bind'; name: string }
  | { kind: 'any' }
  | { kind: 'array'; head?: string; tail?: string }
  | { kind: 'object'; key?: string; value?: string; tail?: string };
export interface MatchCase extends Node {
  pattern: Pattern;
  guard?: Expr;
  body: Expr;
}
export interface MatchNode extends ExprBase {
  kind: 'match';
  subject: Expr;
  cases: MatchCase[];
}
export interface UpdateStep extends Node {
  by: 'name' | 'index' | 'attribute' | 'many';
  key: Expr;
  namespace?: string;
}
export interface UpdateCase extends Node {
  name?: string;
  indexName?: string;
  path: UpdateStep[];
  upsert: boolean;
  guard?: Expr;
  body: Expr;
}
export interface UpdateNode extends ExprBase {
  kind: 'update';
  subject: Expr;
  cases: UpdateCase[];
}
export interface DoNode extends ExprBase {
  kind: 'do';
  directives: Directive[];
  body: Expr;
}
export interface UsingNode extends ExprBase {
  kind: 'using';
  bindings: { name: string; value: Expr; start: number }[];
  body: Expr;
}
export interface AsNode extends ExprBase {
  kind: 'as';
  operand: Expr;
  type: TypeNode;
}
export interface IsNode extends ExprBase {
  kind: 'is';
  operand: Expr;
  type: TypeNode;
}
/** `value <~ {meta: 1}` */
export interface MetadataNode extends ExprBase {
  kind: 'metadata';
  operand: Expr;
  meta: Expr;
}
/** A type used as a value where only a type can stand, as in `Array<String>`. */
export interface TypeExprNode extends ExprBase {
  kind: 'typeExpr';
  type: TypeNode;
}

export type TypeNode =
  | NamedType
  | (Node & { kind: 'union' | 'intersection'; members: TypeNode[]; meta?: Expr })
  | (Node & { kind: 'literalType'; value: Expr; meta?: Expr })
  | ObjectType
  | (Node & {
      kind: 'functionType';
      params: { name?: string; type: TypeNode; optional?: boolean }[];
      result: TypeNode;
      meta?: Expr;
    });
export interface NamedType extends Node {
  kind: 'named';
  name: string;
  module: string[];
  args: TypeNode[];
  /** `Type.field.field` */
  fields: string[];
  /** `{format: "…"}` */
  meta?: Expr;
}
export interface ObjectTypeField {
  /** Undefined for `_`, a string, or a type for `(K)`. */
  name?: string;
  nameType?: TypeNode;
  namespace?: string;
  type: TypeNode;
  optional: boolean;
  repeated: boolean;
}
export interface ObjectType extends Node {
  kind: 'objectType';
  fields: ObjectTypeField[];
  closed: boolean;
  ordered: boolean;
  meta?: Expr;
}

export interface Annotation extends Node {
  name: string;
  args: Entry[];
}
export interface Generic {
  name: string;
  bound?: TypeNode;
}
interface DirectiveBase extends Node {
  annotations?: Annotation[];
}
export interface FormatSpec {
  mime: string;
  id?: string;
  type?: TypeNode;
  options: { name: string; value: Expr }[];
}
export type Directive =
  | (DirectiveBase & { kind: 'version'; text: string })
  | (DirectiveBase & { kind: 'output'; format: FormatSpec })
  | (DirectiveBase & { kind: 'input'; name: string; format: FormatSpec })
  | (DirectiveBase & { kind: 'var'; name: string; type?: TypeNode; value: Expr })
  | (DirectiveBase & { kind: 'fun'; name: string; value: LambdaNode })
  | (DirectiveBase & { kind: 'type'; name: string; generics: Generic[]; type: TypeNode })
  | (DirectiveBase & { kind: 'ns'; prefix: string; uri: string })
  | ImportDirective
  | (DirectiveBase & { kind: 'annotation'; name: string; params: Param[] });
export interface ImportDirective extends DirectiveBase {
  kind: 'import';
  module: string[];
  /** `java!` and the like. */
  loader?: string;
  alias?: string;
  /** `*` or names; undefined imports the module itself. */
  names?: '*' | { name: string; alias?: string }[];
}
export interface Document extends Node {
  directives: Directive[];
  /** Undefined for a module: declarations only. */
  body?: Expr;
}
