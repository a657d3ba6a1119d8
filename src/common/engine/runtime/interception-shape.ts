import * as fields from '../api/fields/index.js';

export const adviceShape = {
  match: fields.texts(
    'Which ones: an exact name, a prefix that ends in *, or a /pattern/. Without it all of them.',
  ),
  when: fields.predicate('Only where this holds.', { optional: true }),
  steps: fields.steps('What to do before.', { optional: true }),
};

/** `interceptors`: what a workspace or a workflow declares around its steps, triggers and targets. */
export const interceptionShape = {
  intercept: {
    ...fields.groups('Before each step; `match` looks at the step’s id or keyword.', adviceShape),
    required: false,
  },
  'intercept-from': {
    ...fields.groups('Before the first step; `match` looks at the address of the trigger.', adviceShape),
    required: false,
  },
  'intercept-send-to': {
    ...fields.groups('Before a message goes to a target; `match` looks at its address.', {
      ...adviceShape,
      skip: fields.flag('The message does not go to the target: the steps are done instead.'),
    }),
    required: false,
  },
} as const;
