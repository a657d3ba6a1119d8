/** Editors with the YAML language server read the schema from the Helix that runs beside them. */
const schemaLine = '# yaml-language-server: $schema=http://127.0.0.1:3000/workflow.schema.json\n';

const tools = `${schemaLine}# The tools of this workspace. Each is called in the same way over REST, over MCP and from a workflow.
# The guide tells more: docs/guide/tools.md, docs/guide/workflows.md and docs/guide/starlang-by-example.md.
tools:
  - id: greet
    description: Greet somebody by name, in one of a few languages.
    side-effects: read
    redispatch: safe
    input:
      name: { type: string, required: true, description: 'Whom to greet, e.g. Ada' }
      language: { type: string, default: en, enum: [en, de, fr] }
    output:
      greeting: { type: string }
    validate:
      rules:
        - name: some_name
          expr: 'sizeOf(trim(args["name"])) > 0'
          reason: name must hold at least one letter
    steps:
      - set-body:
          starlang: |
            var words = { en: "Hello", de: "Hallo", fr: "Bonjour" }
            ---
            { greeting: "$(words[payload.language]), $(payload.name)!" }
`;

const workflows = `${schemaLine}# The workflows of this workspace. This one listens on this machine only; WELCOME_HTTP moves it:
#   curl -s 127.0.0.1:8090/welcome/Ada
workflows:
  - id: welcome
    description: Welcome somebody over plain HTTP.
    trigger:
      uri: http-server://\${WELCOME_HTTP:127.0.0.1:8090}/welcome/{name}
      parameters: { method: GET }
    timeout: 5s
    error-handler: { retries: 1, delay: 500ms }
    on-exception:
      - match: TOOL.RULE_VIOLATED
        handled: true
        steps:
          - set-header: { name: HelixHttpStatus, value: 400 }
          - set-body: { starlang: '{ problem: error.message }' }
    steps:
      - set-body:
          starlang: '{ name: attributes.uriParams.name, language: attributes.queryParams.language default "en" }'
      - target: tool://greet
`;

const tests = `${schemaLine}# The tests of this workspace: npx helix test --coverage
# No port is opened, nothing outside is called, and the clock is virtual. docs/guide/testing-workflows.md tells more.
tests:
  - name: greets in English unless told otherwise
    tool: greet
    input: { name: Ada }
    expect:
      body: { greeting: 'Hello, Ada!' }

  - name: welcomes in the language of the query
    workflow: welcome
    trigger:
      path: { name: Ada }
      query: { language: fr }
    expect:
      status: 200
      body: { greeting: 'Bonjour, Ada!' }

  - name: says what is wrong with a name of blanks
    workflow: welcome
    trigger:
      path: { name: ' ' }
    expect:
      status: 400
      contains: { problem: 'tool "greet" input validation failed: name must hold at least one letter' }

  - name: tries once more before it gives up
    workflow: welcome
    trigger:
      path: { name: Ada }
    faults:
      - { uri: tool://greet, call: 1, fail: ENGINE.OVERLOADED }
    expect:
      body: { greeting: 'Hello, Ada!' }
      calls: { to: tool://greet, count: 2 }
      elapsed: 500ms
`;

/** A workspace to start from: it validates, its tests pass and cover it, and it runs as it is. */
export const workspaceFiles: Readonly<Record<string, string>> = {
  'tools.yaml': tools,
  'workflows.yaml': workflows,
  'workspace.test.yaml': tests,
};
