import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type OperationRule, ruleOfHandler } from './operation-rule.js';

/** Every operation of the API by its id, as the handlers of this app declare them. */
@Injectable()
export class OperationCatalogue {
  #rules: ReadonlyMap<string, OperationRule> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly methods: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  find(id: string): OperationRule | undefined {
    this.#rules ??= new Map(this.#read().map((rule) => [rule.id, rule]));
    return this.#rules.get(id);
  }

  #read(): OperationRule[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = metatype?.prototype as Record<string, unknown> | undefined;
      if (prototype === undefined) return [];
      const names = this.methods.getAllMethodNames(prototype);
      return names.flatMap((name) => ruleOfHandler(this.reflector, prototype[name]) ?? []);
    });
  }
}
