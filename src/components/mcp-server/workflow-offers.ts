import { isRecord } from '../../common/engine/model/is-record.js';
import type { Route } from '../../common/engine/api/component.js';
import type { WorkflowInfo } from '../../common/engine/api/workflow-directory.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { jsonText } from '../../common/engine/model/json-text.js';
import type { Message } from '../../common/engine/model/message.js';
import { blocksOf, isBlock, mediaTypeOf } from './content-blocks.js';
import type { ToolChoice } from './exposed-tools.js';
import type { McpOffers, PromptTrigger, ResourceTrigger } from './mcp-offers.js';
import type {
  ContentBlock,
  OfferCall,
  OfferSource,
  PromptCall,
  PromptMessage,
  PromptOffer,
  PromptResult,
  ResourceCall,
  ResourceContent,
  ResourceOffer,
  TemplateOffer,
} from './tool-source.js';

export interface WorkflowOffersParts {
  readonly route: Route;
  readonly choice: ToolChoice;
  readonly offers: McpOffers;
}

/** The prompts and resources that workflows of the server's choice give. */
export class WorkflowOffers implements OfferSource {
  constructor(private readonly parts: WorkflowOffersParts) {}

  prompts(): readonly PromptOffer[] {
    return this.#prompts().map(({ name, title, route }) => ({
      name,
      ...shown(title, route.workflow.description),
      ...argumentsOf(route.workflow),
    }));
  }

  async prompt(call: PromptCall): Promise<PromptResult> {
    const trigger = this.#prompts().find(({ name }) => name === call.name);
    if (!trigger)
      throw new HelixError('ENGINE.NO_CONSUMER', `The prompt "${call.name}" is not offered any more.`);
    const { workflow } = trigger.route;
    const reply = await this.#run(workflow.id, call, call.args, { HelixMcpPromptName: call.name });
    return {
      ...(workflow.description === null ? {} : { description: workflow.description }),
      messages: messagesOf(reply),
    };
  }

  /** Those with a URI of their own; what a template covers cannot be listed. */
  resources(): readonly ResourceOffer[] {
    return this.#resources().flatMap(({ at, name, title, mimeType, route }) =>
      typeof at === 'string'
        ? [{ uri: at, name, ...shown(title, route.workflow.description), ...(mimeType ? { mimeType } : {}) }]
        : [],
    );
  }

  templates(): readonly TemplateOffer[] {
    return this.#resources().flatMap(({ at, name, title, mimeType, route }) =>
      typeof at === 'string'
        ? []
        : [
            {
              uriTemplate: at.text,
              name,
              ...shown(title, route.workflow.description),
              ...(mimeType ? { mimeType } : {}),
            },
          ],
    );
  }

  hasResource(uri: string): boolean {
    return this.#find(uri) !== undefined;
  }

  async readResource(call: ResourceCall): Promise<ResourceContent> {
    const found = this.#find(call.uri);
    if (!found) throw new HelixError('ENGINE.NO_CONSUMER', 'The resource is not offered any more.');
    const { trigger, values } = found;
    const headers = { HelixMcpResourceUri: call.uri };
    const reply = await this.#run(trigger.route.workflow.id, call, values, headers);
    return contentOf(call.uri, trigger.mimeType, reply);
  }

  completions(
    of: { readonly prompt: unknown } | { readonly template: unknown },
    argument: string,
  ): readonly string[] | null {
    const trigger =
      'prompt' in of
        ? this.#prompts().find(({ name }) => name === of.prompt)
        : this.#resources().find(({ at }) => (typeof at === 'string' ? at : at.text) === of.template);
    if (!trigger) return null;
    const property = propertiesOf(trigger.route.workflow)[argument];
    if (property !== undefined) return valuesOf(property);
    const isVariable = trigger.kind === 'resource' && typeof trigger.at !== 'string';
    return isVariable && trigger.at.names.includes(argument) ? [] : null;
  }

  #prompts(): readonly PromptTrigger[] {
    return this.parts.offers
      .prompts()
      .filter(({ route }) => this.#isChosen(route))
      .sort(byName);
  }

  #resources(): readonly ResourceTrigger[] {
    return this.parts.offers
      .resources()
      .filter(({ route }) => this.#isChosen(route))
      .sort(byName);
  }

  #isChosen({ workflow }: Route): boolean {
    const { workflows } = this.parts.choice;
    return workflows.length === 0 || workflows.includes(workflow.id);
  }

  #find(
    uri: string,
  ): { readonly trigger: ResourceTrigger; readonly values: Readonly<Record<string, string>> } | undefined {
    const all = this.#resources();
    const exact = all.find(({ at }) => at === uri);
    if (exact) return { trigger: exact, values: {} };
    for (const trigger of all) {
      const values = typeof trigger.at === 'string' ? null : trigger.at.match(uri);
      if (values) return { trigger, values };
    }
    return undefined;
  }

  /** @throws HelixError why the workflow failed */
  async #run(
    id: string,
    { caller, link, signal }: OfferCall,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Message> {
    const { route } = this.parts;
    const init = { pattern: 'InOut', body, headers, caller, link, signal } as const;
    const exchange: Exchange = route.directory.exchange(id, init);
    const hosted = route.pass(exchange);
    if (hosted) await hosted;
    if (!exchange.failure) await route.directory.run(id, exchange);
    if (exchange.failure) throw exchange.failure;
    return exchange.in;
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function shown(title: string | null, description: string | null): { title?: string; description?: string } {
  return { ...(title === null ? {} : { title }), ...(description === null ? {} : { description }) };
}

function propertiesOf({ inputSchema }: WorkflowInfo): Readonly<Record<string, unknown>> {
  const properties = inputSchema?.['properties'];
  return isRecord(properties) ? { ...properties } : {};
}

function argumentsOf(workflow: WorkflowInfo): Pick<PromptOffer, 'arguments'> {
  const required = workflow.inputSchema?.['required'];
  const named = Object.entries(propertiesOf(workflow)).map(([name, property]) => {
    const description = isRecord(property) ? property['description'] : undefined;
    return {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      required: Array.isArray(required) && required.includes(name),
    };
  });
  return named.length === 0 ? {} : { arguments: named };
}

/** What the schema knows a property may be: its `enum`, else its `examples`. */
function valuesOf(property: unknown): readonly string[] {
  if (!isRecord(property)) return [];
  const known = property['enum'] ?? property['examples'];
  return Array.isArray(known)
    ? known.filter((each) => each !== null && typeof each !== 'object').map(String)
    : [];
}

/** Text is one message of the user, and so are blocks; a list of `{ role, content }` is messages as they stand. */
function messagesOf(message: Message): readonly PromptMessage[] {
  const { body } = message;
  const list = isRecord(body) && Array.isArray(body['messages']) ? body['messages'] : body;
  if (Array.isArray(list) && list.length > 0 && list.every(isRecord)) {
    return list.map(({ role, content }) => {
      const block = typeof content === 'string' ? { type: 'text' as const, text: content } : content;
      if ((role === 'user' || role === 'assistant') && isBlock(block)) return { role, content: block };
      throw new HelixError(
        'ENGINE.INTERNAL',
        'A prompt must reply text, or messages as { role: user or assistant, content: text or a block of MCP }.',
      );
    });
  }
  const blocks: readonly ContentBlock[] = blocksOf(message)?.content ?? [
    { type: 'text', text: message.bodyAsString() },
  ];
  return blocks.map((content) => ({ role: 'user', content }));
}

function contentOf(uri: string, declared: string | null, message: Message): ResourceContent {
  const { body } = message;
  const own = declared ?? mediaTypeOf(message);
  if (body instanceof Uint8Array) {
    const blob = Buffer.from(body).toString('base64');
    return { uri, mimeType: own || 'application/octet-stream', blob };
  }
  const isData = typeof body === 'object' && body !== null;
  const text = isData ? (jsonText(body).text ?? 'null') : message.bodyAsString();
  return { uri, mimeType: own || (isData ? 'application/json' : 'text/plain'), text };
}
