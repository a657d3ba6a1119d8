import type { JsonSchema } from '../../../../common/engine/api/workflow-directory.js';

/** Where a value of the input goes in the request. */
export type Section = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter {
  readonly section: Section;
  readonly name: string;
  readonly isRequired: boolean;
  readonly style: string;
  readonly explode: boolean;
  /** Sent as JSON text, where the document describes the value by a media type. */
  readonly isJson: boolean;
  readonly schema: JsonSchema | boolean;
  readonly description: string | null;
}

export interface Body {
  readonly mediaType: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema | boolean;
}

/** The names of security schemes that must be met together. */
export type SecurityRequirement = readonly string[];

/** One operation of an OpenAPI document, read and judged fit to be called. */
export interface Operation {
  /** `operationId`, or made of method and path; `[A-Za-z0-9_.-]{1,64}`. */
  readonly id: string;
  readonly method: string;
  /** With its `{placeholders}`. */
  readonly path: string;
  /** The operation's own server; null for the document's. */
  readonly server: string | null;
  readonly summary: string | null;
  readonly description: string | null;
  readonly isDeprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  /** The JSON Schema of a success; null where the document does not tell. */
  readonly result: JsonSchema | null;
  /** Definitions that the schemas refer to. */
  readonly defs: JsonSchema | null;
  /** One of them must be met; empty: nothing is asked for. */
  readonly security: readonly SecurityRequirement[];
  readonly docsUrl: string | null;
}

/** How a security scheme is met: which part of the request the secret goes into. */
export type SecurityScheme =
  | { readonly kind: 'apiKey'; readonly section: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' };

export interface ImportedDocument {
  readonly title: string;
  /** Base address, without a trailing slash; null where the document gives none that is absolute. */
  readonly server: string | null;
  readonly operations: readonly Operation[];
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** What could not be imported, one sentence each; the rest is of use. */
  readonly problems: readonly string[];
}
