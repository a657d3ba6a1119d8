interface Schema {
  type?: string;
  nullable?: boolean;
  allOf?: readonly { readonly $ref?: string }[];
  readonly [member: string]: unknown;
}

/**
 * Writes the type of the schema that is referred to beside `nullable`: OpenAPI 3.0.3 reads `nullable` only where `type`
 * stands in the same schema.
 */
export function typeNullableReferences(document: object): void {
  const { components } = document as { components?: { schemas?: Readonly<Record<string, Schema>> } };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Schema;
    const reference = schema.nullable === true && schema.type === undefined && schema.allOf?.[0]?.$ref;
    const type = reference && components?.schemas?.[reference.split('/').at(-1) ?? '']?.type;
    if (type) schema.type = type;
    Object.values(value).forEach(visit);
  };
  visit(document);
}
