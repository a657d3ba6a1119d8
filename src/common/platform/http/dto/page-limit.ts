import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Optional } from './validators.js';

const limitForm = /^([1-9][0-9]?|100)$/;

/** The contract's query parameter `limit`: a string, 1–100, defaults to 30 (tools-rest-api, listToolCalls, searchTools). */
export function PageLimit(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      required: false,
      default: '30',
      pattern: limitForm.source,
      description: '1–100, defaults to 30.',
    }),
    Optional(),
    Matches(limitForm, { message: '$property must be a whole number from 1 to 100, written in digits' }),
  );
}
