import type { Component } from '../api/component.js';
import { readShape } from '../api/fields/index.js';
import type { SchemaValidator } from '../api/ports.js';
import { closest } from '../api/options.js';
import { Burial, type BurialInit } from '../error-handlers/burial.js';
import { errorHandlerShape } from '../error-handlers/read-error-handler.js';
import { readClauses } from '../error-handlers/exception-clause.js';
import { Recovery } from '../error-handlers/recovery.js';
import { retryPolicy } from '../error-handlers/retry-policy.js';
import { EndpointUri } from '../model/endpoint-uri.js';
import { inputJsonSchema, outputJsonSchema } from '../model/field-schema.js';
import type {
  ToolSource,
  WorkflowDefinition,
  WorkspaceDefinition,
  WorkspaceProblem,
} from '../model/workflow-definition.js';
import { Interception } from './interception.js';
import { placeSeenFrom } from '../model/source-node.js';
import { problemsOf } from './problems.js';
import { RouteCompiler, type CompileContext, type Sending } from './route-compiler.js';
import type { WorkspaceVersion } from '../model/workspace-version.js';
import type { CompiledWorkflow } from './workflow.js';

interface Init {
  readonly workspace: WorkspaceDefinition;
  readonly version: WorkspaceVersion;
  readonly components: readonly Component[];
  readonly validator: SchemaValidator | null;
  readonly context: CompileContext;
}

/** Compiles every workflow and looks at how they fit together. Problems go to the context's sink; nothing starts. */
export function compileWorkspace({
  workspace,
  version,
  components,
  validator,
  context,
}: Init): readonly CompiledWorkflow[] {
  for (const component of components) component.review?.(workspace, context.problem);
  const tools = new Map(workspace.tools.map((tool) => [tool.definition.id, tool]));
  const definitions = [
    ...workspace.workflows,
    ...workspace.tools.filter(({ steps }) => steps.length > 0).map(workflowOf),
  ];
  const sendings: Sending[] = [];
  const workflows = definitions.map((definition) => {
    const compiled = compileWorkflow(definition, {
      workspace,
      version,
      components,
      tools,
      validator,
      context,
    });
    sendings.push(...compiled.sendings);
    return compiled;
  });
  checkIds(workflows, context.problem);
  checkPairing(workflows, sendings, context.problem);
  return workflows;
}

/** A tool with steps is a workflow of its own. */
function workflowOf({ definition, place, steps }: ToolSource): WorkflowDefinition {
  return {
    id: definition.id,
    place,
    description: definition.description,
    trigger: { uri: `tool://${definition.id}`, parameters: {}, secrets: new Set(), place },
    inputSchema: null,
    outputSchema: null,
    timeoutMs: definition.policy.timeoutMs,
    durable: false,
    disabled: false,
    errorHandler: null,
    onException: null,
    interceptors: null,
    steps,
  };
}

function compileWorkflow(
  definition: WorkflowDefinition,
  init: Init & { readonly tools: ReadonlyMap<string, ToolSource> },
): CompiledWorkflow & { readonly sendings: readonly Sending[] } {
  const { workspace, version, tools, validator, context } = init;
  const lifespan = { since: version, until: null };
  const build = new RouteCompiler(definition.id, context, lifespan);
  const handling = errorHandling(definition, workspace, build, context);
  build.errorHandler = handling.recovery;
  const declared = [workspace.interceptors, definition.interceptors].filter((source) => source !== null);
  if (declared.length > 0) build.interception = new Interception(declared, build.bare());
  let pipeline = build.pipeline(definition.steps);
  let from = definition.trigger.uri.split('?')[0] ?? '';
  let trigger: CompiledWorkflow['trigger'] = null;
  try {
    const uri = EndpointUri.parse(
      definition.trigger.uri,
      definition.trigger.parameters,
      definition.trigger.secrets,
      definition.trigger.shownPath,
    );
    from = uri.toString();
    trigger = context.endpoints.fixed(uri);
    pipeline = build.interception?.aroundTrigger(uri, pipeline) ?? pipeline;
    if (!trigger.consumer) {
      context.problem({
        severity: 'error',
        rule: 'unsupported-end',
        message: `${uri.scheme}:// cannot be a trigger: one can only send to it.`,
        place: definition.trigger.place,
      });
    }
  } catch (thrown) {
    for (const found of problemsOf(thrown, definition.trigger.place)) context.problem(found);
  }
  const keepsAll = build.sendings.some(({ endpoint }) => endpoint.wantsReceived);
  const scope = trigger?.comesAgain ? 'none' : 'unawaited';
  const burial = handling.burial ?? lastResort(definition.id, { scope, keepsAll }, init);
  build.burial = burial;
  const scheme = /^[a-z][a-z0-9+.-]*/i.exec(from)?.[0].toLowerCase() ?? '';
  const tool = scheme === 'tool' ? tools.get(trigger?.uri.path ?? '')?.definition : undefined;
  return {
    definition,
    written: { definition, tool: tool ?? null, defaults: workspace },
    lifespan,
    info: {
      id: definition.id,
      description: definition.description ?? tool?.description ?? null,
      from,
      scheme,
      inputSchema: definition.inputSchema ?? (tool ? inputJsonSchema(tool) : null),
      outputSchema: definition.outputSchema ?? (tool ? outputJsonSchema(tool) : null),
      timeoutMs: definition.timeoutMs,
    },
    pipeline: burial?.around(pipeline) ?? pipeline,
    trigger,
    targets: build.sendings.map(({ endpoint }) => endpoint),
    violations: inputCheck(definition, validator, context),
    stopTasks: build.stopTasks,
    sendings: build.sendings,
  };
}

function inputCheck(
  { inputSchema, place }: WorkflowDefinition,
  validator: SchemaValidator | null,
  context: CompileContext,
): CompiledWorkflow['violations'] {
  if (inputSchema === null) return null;
  const problem = (message: string): null => {
    context.problem({ severity: 'error', rule: 'wrong-schema', message, place });
    return null;
  };
  if (validator === null)
    return problem('input-schema cannot be checked: this engine has no schema validator.');
  try {
    return validator.compile(inputSchema);
  } catch (thrown) {
    return problem(
      `input-schema is no JSON Schema: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}

/** Where messages go that nobody waits for, of a workflow that names no dead letter. */
function lastResort(
  workflowId: string,
  means: Pick<BurialInit, 'scope' | 'keepsAll'>,
  { components, context }: Init,
): Burial | null {
  const destination = components
    .map((each) => each.lastResort?.(workflowId))
    .find((uri) => uri !== undefined);
  if (destination === undefined) return null;
  const endpoint = context.endpoints.fixed(EndpointUri.parse(destination));
  const send = context.endpoints.producerOf(endpoint);
  return new Burial({ ...burialInit(workflowId, context), destination, send, ...means });
}

function burialInit(workflowId: string, { log, ids }: CompileContext) {
  return { workflowId, log, nextId: () => ids.next() };
}

/** The workflow's own `error-handler`, else the workspace's; its own `on-exception` clauses before the workspace's. */
function errorHandling(
  definition: WorkflowDefinition,
  workspace: WorkspaceDefinition,
  build: RouteCompiler,
  context: CompileContext,
): { readonly recovery: Recovery; readonly burial: Burial | null } {
  const source = definition.errorHandler ?? workspace.errorHandler;
  const values = source === null ? null : readShape(source, errorHandlerShape, build);
  const target = values?.['dead-letter'] ?? null;
  const clauses = [definition.onException, workspace.onException].map((clauseSource) =>
    clauseSource === null
      ? []
      : readClauses(clauseSource, build, (steps) => build.pipeline(steps, { unhandled: true })),
  );
  const burial =
    target === null
      ? null
      : new Burial({
          ...burialInit(definition.id, context),
          destination: target.uri,
          send: build.send(target),
          scope: 'all',
          keepsAll: true,
        });
  const recovery = new Recovery({
    clock: context.clock,
    log: context.log,
    random: context.random,
    witness: context.witness,
    retry: values === null ? null : retryPolicy(values),
    clauses,
    deadLetter: burial,
  });
  return { recovery, burial };
}

function checkIds(
  workflows: readonly CompiledWorkflow[],
  problem: (problem: WorkspaceProblem) => void,
): void {
  const seen = new Map<string, WorkflowDefinition>();
  for (const { definition } of workflows) {
    const twin = seen.get(definition.id);
    if (twin) {
      problem({
        severity: 'error',
        rule: 'duplicate-id',
        message: `The id "${definition.id}" is taken at ${placeSeenFrom(definition.place, twin.place)}: choose another.`,
        place: definition.place,
      });
    }
    seen.set(definition.id, definition);
  }
}

/** Who listens where: one consumer per address where only one may, and somebody for every fixed target. */
function checkPairing(
  workflows: readonly CompiledWorkflow[],
  sendings: readonly Sending[],
  problem: (problem: WorkspaceProblem) => void,
): void {
  const listeners = new Map<string, WorkflowDefinition>();
  for (const { trigger, definition } of workflows) {
    if (!trigger?.pairing) continue;
    const address = `${trigger.uri.scheme}://${trigger.uri.path}`;
    const twin = listeners.get(address);
    if (twin && trigger.pairing === 'one') {
      problem({
        severity: 'error',
        rule: 'duplicate-consumer',
        message: `${shownAddress(trigger.uri)} already has a consumer, the workflow "${twin.id}" at ${twin.place.file}:${twin.place.line}: an address takes one.`,
        place: definition.trigger.place,
      });
    } else listeners.set(address, definition);
  }
  for (const { endpoint, place } of sendings) {
    const address = `${endpoint.uri.scheme}://${endpoint.uri.path}`;
    if (!endpoint.pairing || listeners.has(address)) continue;
    const suggestion = closest(address, [...listeners.keys()]);
    problem({
      severity: 'error',
      rule: 'missing-target',
      message: `No workflow listens on ${shownAddress(endpoint.uri)}${suggestion ? `; did you mean ${suggestion}?` : ': add one, or correct the name.'}`,
      place,
      ...(suggestion ? { suggestion } : {}),
    });
  }
}

/** Without options, and without what came from a variable. */
function shownAddress(uri: EndpointUri): string {
  return uri.toString().split('?')[0] ?? '';
}
