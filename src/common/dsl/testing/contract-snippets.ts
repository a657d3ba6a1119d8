/** The YAML of the contract documents, as it is written there. */
export const contractSnippets: Readonly<Record<string, string>> = {
  'tool: define and call': `
tools:
  - id: search
    description: "Search the knowledge base"
    input:
      query:
        type: string
        description: "Search query"
        required: true
      limit:
        type: integer
        description: "Max results"
        default: 10
    output:
      results: { type: array, description: "Search results" }
      total:   { type: integer, description: "Total matches" }
    steps:
      - transform:
          starlang: |
            %sl 2.0
            output application/json
            input payload
            ---
            { "results": [], "total": 0 }

workflows:
  - id: assistant
    trigger: { uri: direct://ask }
    steps:
      - set-body:
          starlang: '{ "query": payload, "limit": 5 }'
      - target: tool://search
`,
  'tool: from an agent': `
agents:
  - id: helper
    type: react
    tools:
      - tool://search
      - tool://translate
`,
  'tool: validation rules': `
tools:
  - id: pay
    description: "Move money between accounts"
    input:
      amount:   { type: number, required: true }
      currency: { type: string, required: true, enum: ["USD","EUR"] }
    validate:
      schema: true
      rules:
        - name: positive_amount
          expr: 'args["amount"] > 0'
          reason: "amount must be positive"
    steps:
      - target: direct://payments-handler
`,
  'mcp: http': `
workflows:
  - id: ask-search
    trigger: { uri: direct://ask }
    steps:
      - set-body:
          starlang: '{ "query": payload, "limit": 5 }'
      - target: mcp://localhost:8181/search
`,
  'mcp: stdio': `
workflows:
  - id: filesystem-lookup
    trigger: { uri: direct://lookup }
    steps:
      - target: mcp:///usr/local/bin/mcp-fs/read_file?transport=stdio
`,
  'mcp: tool per exchange': `
workflows:
  - id: dispatch
    trigger: { uri: direct://dispatch }
    steps:
      - set-header:
          name: HelixMcpToolName
          starlang: header("X-Intent")
      - target: mcp://localhost:8181/_unused
`,
  'mcp: end to end': `
workflows:
  - id: research
    trigger:
      uri: http-server://0.0.0.0:8080/research
    steps:
      - set-body:
          starlang: '{ "query": payload }'
      - target: mcp://kb-server.internal:8181/search
      - set-body:
          starlang: '"Summarize: " ++ payload'
      - target: agent://summarizer
`,
  'mcp-server: two workflows': `
workflows:
  - id: mcp-server
    trigger:
      uri: mcp-server://0.0.0.0:8181?workflows=search,translate&api_keys=\${MCP_KEY}&cors_origins=*
    steps: []

  - id: search
    description: "Search the knowledge base"
    input-schema:
      type: object
      properties:
        query: { type: string }
      required: [query]
    trigger: { uri: direct://search }
    steps:
      - target: tool://kb-search

  - id: translate
    description: "Translate text"
    input-schema:
      type: object
      properties:
        text:   { type: string }
        target: { type: string }
      required: [text, target]
    trigger: { uri: direct://translate }
    steps:
      - target: agent://translator
`,
  'mcp-server: stdio': `
workflows:
  - id: stdio-mcp
    trigger: { uri: mcp-server://stdio?name=helix-stdio }
    steps: []
`,
  'mcp-server: behind a gateway': `
workflows:
  - id: behind
    steps: []
    trigger:
      uri: mcp-server://0.0.0.0:8181?api_keys=\${KEY}&trusted_proxies=10.0.0.1,10.0.0.2
`,
};
