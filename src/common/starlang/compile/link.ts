import type { Problem } from '../errors/problem.js';
import { SourceText, type SourcePart } from '../errors/source-text.js';
import { FORBIDDEN_MODULES, libraryModule } from '../library/registry.js';
import type { Document, ImportDirective, NameNode } from '../syntax/ast.js';
import { parse } from '../syntax/parse.js';

/** The text of a module by its path (`orders::Prices`), undefined where there is none. */
export type ReadModule = (path: string) => string | undefined;

export interface LinkedModule {
  path: string;
  ast: Document;
}

/** A script with every module it needs, each after the ones it imports itself. */
export interface Linked {
  source: SourceText;
  ast: Document;
  modules: readonly LinkedModule[];
  problems: readonly Problem[];
}

/** More would be no program but a mistake, or an attack. */
const MOST_MODULES = 200;

/** Parses a script and the modules it names. Never throws. */
export function link(text: string, read: ReadModule | undefined): Linked {
  const { ast, problems } = parse(text);
  const alone = { source: SourceText.of(text), ast, modules: [], problems };
  if (problems.length > 0 || !read || !mentions(text)) return alone;
  return new Linker(text, ast, read).linked();
}

/** The trees of a script whose texts were read before. */
export function relink(source: SourceText): Linked {
  const texts = new Map(source.parts.map(({ module, text }) => [module, text]));
  return link(source.parts[0].text, (path) => texts.get(path));
}

/** Most scripts import nothing; their trees are not walked. */
const mentions = (text: string) => text.includes('::') || /\bimport\b/.test(text);

class Linker {
  private readonly parts: [SourcePart, ...SourcePart[]];
  private readonly modules: LinkedModule[] = [];
  private readonly problems: Problem[] = [];
  private readonly known = new Set<string>();
  private end: number;

  constructor(
    text: string,
    private readonly ast: Document,
    private readonly read: ReadModule,
  ) {
    this.parts = [{ module: undefined, start: 0, text }];
    this.end = text.length + 1;
  }

  linked(): Linked {
    this.follow(this.ast, []);
    return {
      source: new SourceText(this.parts),
      ast: this.ast,
      modules: this.modules,
      problems: this.problems,
    };
  }

  private follow(ast: Document, from: readonly string[]): void {
    for (const { path, start, end } of mentionedModules(ast)) {
      if (from.includes(path)) {
        const way = [...from.slice(from.indexOf(path)), path].join(' → ');
        this.problem(start, end, `The module "${path}" imports itself (${way})`);
      } else if (!this.known.has(path)) this.add(path, from, start, end);
    }
  }

  private add(path: string, from: readonly string[], start: number, end: number): void {
    this.known.add(path);
    if (libraryModule(path) || FORBIDDEN_MODULES[path]) return;
    const text = this.read(path);
    if (text === undefined) return;
    if (this.parts.length > MOST_MODULES) {
      this.problem(start, end, `A script has at most ${MOST_MODULES} modules`);
      return;
    }
    const part = { module: path, start: this.end, text };
    this.parts.push(part);
    this.end += text.length + 1;
    // Blanks before it give every node of the module the offset it has in the whole.
    const { ast, problems } = parse(' '.repeat(part.start) + text);
    const source = new SourceText(this.parts);
    for (const { offset, kind, message, hint } of problems)
      this.problems.push(source.problemAt(offset, kind, message, hint ? { hint } : {}));
    if (problems.length > 0) return;
    this.follow(ast, [...from, path]);
    this.modules.push({ path, ast });
  }

  private problem(start: number, end: number, message: string): void {
    const source = new SourceText(this.parts);
    this.problems.push(source.problemAt(start, 'reference', message, { length: end - start }));
  }
}

const isMention = (node: object): node is NameNode | ImportDirective =>
  'module' in node &&
  Array.isArray(node.module) &&
  node.module.length > 0 &&
  !('loader' in node && node.loader);

interface Mention {
  path: string;
  start: number;
  end: number;
}

/** The modules that imports and qualified names of a tree speak of. */
function mentionedModules(ast: Document): Mention[] {
  const found: Mention[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    if (isMention(node)) found.push({ path: node.module.join('::'), start: node.start, end: node.end });
    for (const child of Object.values(node)) visit(child);
  };
  visit(ast);
  return found;
}
