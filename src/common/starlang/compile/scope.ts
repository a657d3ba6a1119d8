import type { LibraryFunction, LibraryModule } from '../library/define.js';
import type { TypeValue } from '../values/type-value.js';
import type { Value } from '../values/value.js';

/** What is known at compile time of one function a name stands for. */
export interface Signature {
  min: number;
  max: number;
  /** Parameter count of each function-typed parameter, -1 for others. */
  callbacks: readonly number[];
}

/** One frame of values at run time: a function call, or the script itself. */
export class FrameInfo {
  /** Slot 0 holds the frame of the enclosing function. */
  size = 1;
}

export type Binding =
  | { kind: 'slot'; index: number; frame: FrameInfo; lazy: boolean; signatures?: Signature[]; used?: boolean }
  | { kind: 'library'; fn: LibraryFunction }
  | { kind: 'constant'; value: Value };

export interface Resolved {
  binding: Binding;
  /** Frames between the use and the definition. */
  depth: number;
}

/** A module of the workspace: its declarations stand in the frame of the script. */
export interface OwnModule {
  name: string;
  scope: Scope;
  declared: ReadonlySet<string>;
}

export type Module = LibraryModule | OwnModule;

/** Names of one block: a header, a `do`, a function's parameters, a case. */
export class Scope {
  readonly names = new Map<string, Binding>();
  readonly types = new Map<string, TypeValue>();
  readonly namespaces = new Map<string, string>();
  readonly modules = new Map<string, Module>();

  constructor(
    readonly parent: Scope | undefined,
    readonly frame: FrameInfo,
  ) {}

  /** A new slot in this scope's frame. */
  define(name: string, lazy = false): Extract<Binding, { kind: 'slot' }> {
    const binding = { kind: 'slot' as const, index: this.frame.size++, frame: this.frame, lazy };
    this.names.set(name, binding);
    return binding;
  }

  resolve(name: string): Resolved | undefined {
    const binding = this.names.get(name);
    if (binding) return { binding, depth: binding.kind === 'slot' ? this.distanceTo(binding.frame) : 0 };
    const found = this.parent?.resolve(name);
    if (!found || this.parent?.frame === this.frame) return found;
    return { binding: found.binding, depth: found.depth + 1 };
  }

  /** Frames between this block and one that encloses it; a name of a module is in the script's. */
  distanceTo(frame: FrameInfo): number {
    if (this.frame === frame || !this.parent) return 0;
    return this.parent.distanceTo(frame) + (this.parent.frame === this.frame ? 0 : 1);
  }

  type(name: string): TypeValue | undefined {
    return this.types.get(name) ?? this.parent?.type(name);
  }

  namespace(prefix: string): string | undefined {
    return this.namespaces.get(prefix) ?? this.parent?.namespace(prefix);
  }

  module(alias: string): Module | undefined {
    return this.modules.get(alias) ?? this.parent?.module(alias);
  }

  allNames(): string[] {
    return [...this.names.keys(), ...(this.parent?.allNames() ?? [])];
  }

  /** A block in the same frame. */
  block(): Scope {
    return new Scope(this, this.frame);
  }

  /** The body of a function. */
  inner(): Scope {
    return new Scope(this, new FrameInfo());
  }
}
